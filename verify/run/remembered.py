"""What the proof modules bind, remembered until anything that they are made of changes; then they are imported again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify import bindings
from verify.run.files import digest
from verify.run.keys import Keys, cache_key

if TYPE_CHECKING:
    from verify.project import Project
    from verify.registry import Registry
    from verify.run.store import Store


def registry(project: Project, keys: Keys, store: Store, fresh: bool = False) -> Registry:
    """The registry of a project: from the cache, or collected in a process of its own."""
    if fresh or project.collected:
        return project.registry
    everything = keys.everything()
    key = cache_key(digest(["registry", str(project.root), everything]))
    kept = store.get(key)
    if kept is None:
        kept = bindings.to_json(project.registry)
        store.put(key, kept)
    else:
        project.recall(bindings.from_json(kept))
    own = cache_key(digest(["own", str(project.root), everything]))
    made = store.get(own)
    if made is None:
        store.put(own, [[b.claim, b.role, keys.own(b)] for b in project.registry.bindings.values()])
    else:
        keys.recall_own(((claim, role), made_from) for claim, role, made_from in made)
    return project.registry
