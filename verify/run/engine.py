"""A run: which results are missing, computing them, checking them, and the verdicts."""

from __future__ import annotations

import graphlib
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from verify.project import Project, describe
from verify.registry import NEGATION, STATEMENT, Experiment, Figure, Registry
from verify.run import briefs, certificates, checking, instances, mutants, recorded, remembered, stored
from verify.run.deriving import Deriver, fault
from verify.run.evidence import whole_library
from verify.run.files import allow_depth, canonical, digest, sha256, write
from verify.run.keys import Keys, cache_key
from verify.run.language import SAYS_NOTHING, Language
from verify.run.pool import Pool
from verify.run.progress import Progress
from verify.run.results import DONE, FAILED, PARSED, PROVED, TIMED_OUT, FigureResult, Results, RoleResult, TestResult
from verify.run.store import Store
from verify.run.stored import Stored

LIMITS = {"quick": 60.0, "full": 900.0}
"""Seconds that one formula or experiment may take, by profile."""

Checker = Callable[..., dict[tuple[str, str], str]]
"""Called as `checking.check` is, with the progress as fourth argument or without."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How to run."""

    profile: str = "quick"
    limit: float | None = None
    jobs: int | None = None
    fresh: bool = False
    """Compute everything anew: nothing counts of the cache, of what is stored and of what is recorded."""
    scripts: bool = False
    """Run the script of every role and every experiment, also where a stored certificate or a recorded result would count."""
    figures: bool = False
    recheck: bool = False
    """Parse every statement and run the checker on every certificate, whatever the cache says; the full profile does so too."""
    kernel: str = "verify.kernel"
    check: Checker = checking.check

    @property
    def seconds(self) -> float:
        """The time limit of one task."""
        return LIMITS[self.profile] if self.limit is None else self.limit

    def seconds_for(self, test: Experiment) -> float:
        """The time limit of an experiment: its own one in the full profile."""
        if self.limit is None and self.profile == "full" and test.limit is not None:
            return test.limit
        return self.seconds

    @property
    def processes(self) -> int:
        """How many workers there are."""
        return self.jobs or len(os.sched_getaffinity(0))

    @property
    def stored(self) -> bool:
        """Whether stored certificates and recorded results count, and not only what scripts give."""
        return not (self.fresh or self.scripts)

    @property
    def rechecks(self) -> bool:
        """Whether neither what is bound, nor a parsed statement, nor an answer of the checker is taken from the cache."""
        return self.fresh or self.recheck or self.profile == "full"


@dataclass
class Run:
    """The outcome of a run."""

    results: Results
    selected: list[str]
    keys: Keys
    accepted: dict[str, dict[str, RoleResult]]
    """The roles that count, by claim, of every claim that has any."""
    computed: list[str] = field(default_factory=list)
    cached: int = 0
    seconds: dict[str, float] = field(default_factory=dict)
    stored: int = 0
    """How many roles count by their stored certificates."""
    recorded: int = 0
    """How many experiments and figures count as they are recorded."""
    refused: dict[tuple[str, str], str] = field(default_factory=dict)
    """Roles whose stored certificates the checker refused, which were therefore proved again, with the reason."""
    strayed: list[tuple[str, str, str]] = field(default_factory=list)
    """With `scripts`: roles of the selected claims whose stored certificates do not come out of the scripts, with the reason."""

    @cached_property
    def certificates(self) -> dict[str, dict[str, Any]]:
        """The certificates by claim, without the roles that do not count."""
        built = {claim: certificates.build(claim, roles) for claim, roles in self.accepted.items()}
        return {claim: certificate for claim, certificate in built.items() if certificate is not None}

    def late(self, claim: str, role: str) -> bool:
        """Whether a role has no proof because the run gave up on it or on one that it rests on."""
        return any(self.results.roles[key].status == TIMED_OUT for key in self.results.rests_on(claim, role))

    def problems(self, claim: str) -> list[tuple[str, str]]:
        """The roles and experiments of a claim that were bound but gave nothing, with the reason."""
        results = self.results
        found = [(b.role, results.why_not(claim, b.role)) for b in results.registry.roles(claim)]
        for test in results.registry.tests(claim):
            outcome = results.tests[(claim, test.name)]
            found.append((test.name, "" if outcome.status == DONE else outcome.error or outcome.status))
        return [(role, why) for role, why in found if why] + results.empty_readings(claim)


def run(project: Project, selected: Iterable[str], settings: Settings, progress: Progress | None = None) -> Run:
    """Run some claims and whatever they rest on."""
    allow_depth()
    mutants.read(project)  # a broken file is said before anything is computed
    selected = list(selected)
    keys = Keys(project, settings.kernel)
    progress = progress or Progress()
    with Store(project.cache) as store:
        keys.sources.memory = store
        progress.begin("reading what the proof modules bind")
        registry = remembered.registry(project, keys, store, settings.rechecks)
        job = _Job(project, registry, settings, keys, store, progress)
        order = in_order(registry, selected)
        job.work(order)
        while job.drop_refused():
            job.work(order)
        job.keep_briefs()
        keys.sources.memory = None
    progress.close()
    results = job.results()
    found = Run(results, selected, keys, job.accepted(results), job.computed, job.cached, job.seconds)
    found.stored, found.recorded, found.refused = len(job.stored_roles), job.replayed, job.dropped
    if settings.scripts:
        found.strayed = [(c, *why) for c in selected for why in stored.strayed(job.stored.parts(c), c, results)]
    return found


def in_order(registry: Registry, selected: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The selected claims with a binding and all that they use, as a graph without circles."""
    graph: dict[str, tuple[str, ...]] = {}
    queue = list(selected)
    while queue:
        claim = queue.pop()
        if claim not in graph:
            graph[claim] = registry.uses(claim)
            queue.extend(graph[claim])
    order = graphlib.TopologicalSorter(graph).static_order()
    bound = set(registry.claims())
    return {c: tuple(u for u in graph[c] if u in bound) for c in order if c in bound}


@dataclass
class _Job:
    project: Project
    registry: Registry
    settings: Settings
    keys: Keys
    store: Store
    progress: Progress
    roles: dict[tuple[str, str], RoleResult] = field(default_factory=dict)
    tests: dict[tuple[str, str], TestResult] = field(default_factory=dict)
    figures: dict[tuple[str, str], FigureResult] = field(default_factory=dict)
    computed: list[str] = field(default_factory=list)
    cached: int = 0
    seconds: dict[str, float] = field(default_factory=dict)
    recorded: Mapping[str, dict[str, Any]] | None = None
    replayed: int = 0
    stored: Stored = field(init=False)
    stored_roles: set[tuple[str, str]] = field(default_factory=set)
    """The roles with a script that were taken from their stored certificates."""
    derived_roles: set[tuple[str, str]] = field(default_factory=set)
    """The roles without a script that were."""
    dropped: dict[tuple[str, str], str] = field(default_factory=dict)
    """The roles whose stored certificates the checker refused in this run, with the reason."""
    rows: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    """The key of every role of which no brief is kept yet, and the SHA-256 of the row or file that holds it."""
    refuting: dict[tuple[str, str], tuple[str, str, str]] = field(default_factory=dict)
    """The same of every negation that a brief is kept of, and what the brief was made under."""
    check_keys: dict[str, str] = field(default_factory=dict)
    """For every claim with a proof the digest of its proofs and of all that they rest on."""
    checked: dict[str, str] = field(default_factory=dict)
    """The same of the claims whose certificates were checked in this run."""
    profiles: Mapping[tuple[str, str, str], str] = field(default_factory=dict)
    """The profile of every experiment and figure, by kind, claim and name."""

    def __post_init__(self) -> None:
        self.stored = Stored(self.project)

    def work(self, graph: Mapping[str, tuple[str, ...]]) -> None:
        """Fill in everything that is missing, the roles without a script last, and have it checked."""
        self.compute(graph)
        deriver = Deriver(self.project, self.registry, self.settings, self.store, self.progress, self.stored, self.keys.engine)
        derived = deriver.derive(graph, self.roles)
        self.roles |= {place: result for place, result in derived.items() if place not in self.roles}
        self.derived_roles |= deriver.taken
        self.check()

    def compute(self, graph: Mapping[str, tuple[str, ...]]) -> None:
        """Fill in what is missing of roles, experiments and figures: from stored certificates, from the cache, or by working.

        The figures of a claim come last.
        """
        waiting: dict[tuple[str, bool], list[dict[str, Any]]] = {}
        self.profiles = self._profiles(graph)
        self.progress.begin("reading statements and certificates", len(graph))
        for number, claim in enumerate(graph):
            self.progress.at(number, len(graph), claim)
            if self.settings.stored:
                self._recall_stored(claim)
            for task in self._tasks(claim):
                if self._recall(task):
                    continue
                if task["kind"] == "parse":
                    self._keep(task, self._parsed(task))
                else:
                    waiting.setdefault((claim, task["kind"] == "figure"), []).append(task)
        if not waiting:
            return
        total = sum(len(tasks) for tasks in waiting.values())
        self.progress.stage(f"computing {total} results of {len({c for c, _ in waiting})} claims", total)
        before = {(c, drawn): [(u, False) for u in (*graph[c], *([c] if drawn else []))] for c, drawn in waiting}
        sorter = graphlib.TopologicalSorter({n: [u for u in before[n] if u in waiting] for n in waiting})
        sorter.prepare()
        left = {node: len(tasks) for node, tasks in waiting.items()}
        with Pool(self.project.root, self.settings.processes, self.settings.kernel) as pool:

            def release() -> None:
                tasks = [task for node in sorter.get_ready() for task in waiting[node]]
                for task in sorted(tasks, key=lambda t: -t["limit"]):  # the longest first, so that no worker ends alone
                    missing = self._hand_over(task)
                    if missing is None:
                        pool.submit(task)
                    else:
                        done(task, missing)

            def done(task: dict[str, Any], answer: dict[str, Any]) -> None:
                self._keep(task, answer)
                node = (task["claim"], task["kind"] == "figure")
                left[node] -= 1
                if not left[node]:
                    sorter.done(node)
                    release()

            release()
            pool.drain(done, self.progress.busy)

    def _hand_over(self, task: dict[str, Any]) -> dict[str, Any] | None:
        """Give a task the results of the experiments that it needs; the answer to it when one of them has none."""
        key = (task["claim"], task["role"])
        needs: tuple[str, ...] = ()
        if task["kind"] == "experiment":
            needs = self.registry.experiments[key].needs
        elif task["kind"] == "figure":
            needs = self.registry.figures[key].needs
        found: dict[str, dict[str, Any]] = {}
        for test in (t for claim in needs for t in self.registry.tests(claim)):
            result = self.tests[(test.claim, test.name)]
            if result.status != DONE:
                why = f"rests on {test.name} of {test.claim}, which gave no result"
                return {"status": TIMED_OUT if result.status == TIMED_OUT else FAILED, "error": why, "transient": True}
            found.setdefault(test.claim, {})[test.name] = result.found
        task["found"] = found
        return None

    def _tasks(self, claim: str) -> Iterable[dict[str, Any]]:
        """The tasks of a claim that have no result yet."""
        bindings = self.registry.roles(claim)
        for binding in bindings:
            if (claim, binding.role) not in self.roles:
                yield self._task("prove", claim, binding.role, self.keys.role(binding), text=binding.text)
        text = self.registry.text(claim, STATEMENT)
        decided = any(b.role in (STATEMENT, NEGATION) for b in bindings)
        if text is not None and not decided and (claim, STATEMENT) not in self.roles:
            inputs = digest(["parse", self.keys.engine, text])
            yield self._task("parse", claim, STATEMENT, inputs, text=text)
        for test in self.registry.tests(claim):
            if (claim, test.name) not in self.tests:
                profile = self.profiles[("experiment", claim, test.name)]
                more = {"profile": profile, "limit": self.settings.seconds_for(test)}
                yield self._task("experiment", claim, test.name, self.keys.experiment(test, profile), **more)
        for figure in self.registry.drawings(claim) if self.settings.figures else ():
            if (claim, figure.name) not in self.figures:
                profile = self.profiles[("figure", claim, figure.name)]
                yield self._task("figure", claim, figure.name, self.keys.figure(figure, profile))

    def _profiles(self, graph: Iterable[str]) -> dict[tuple[str, str, str], str]:
        """In which profile each experiment and figure counts.

        A recorded result of the full profile serves a quick run as well, unless something that is not recorded needs it: that
        is computed in the quick profile, from results of the quick profile.
        """
        registry, wanted = self.registry, self.settings.profile
        items = {("experiment", c, t.name): t for c in graph for t in registry.tests(c)}
        drawn = {("figure", c, f.name): f for c in graph for f in registry.drawings(c)} if self.settings.figures else {}
        found: dict[tuple[str, str, str], str] = dict.fromkeys((*items, *drawn), wanted)
        if wanted != "quick" or not self.settings.stored or not found:
            return found
        known = self._replayed()
        found |= {key: "full" for key, test in items.items() if self.keys.experiment(test, "full") in known}
        found |= {key: "full" for key, figure in drawn.items() if self.keys.figure(figure, "full") in known}
        queue: list[Experiment | Figure] = [test for key, test in items.items() if found[key] == wanted]
        queue += [figure for key, figure in drawn.items() if found[key] == wanted]
        while queue:
            for test in (t for claim in queue.pop().needs for t in registry.tests(claim)):
                key = ("experiment", test.claim, test.name)
                if found[key] != wanted:
                    found[key] = wanted
                    queue.append(test)
        return found

    def _task(self, kind: str, claim: str, role: str, inputs: str, **more: Any) -> dict[str, Any]:
        key = cache_key(inputs, "matplotlib") if kind == "figure" else cache_key(inputs)
        more = {"key": key, "inputs": inputs, "limit": self.settings.seconds, **more}
        return {"kind": kind, "claim": claim, "role": role, **more}

    def _recall(self, task: dict[str, Any]) -> bool:
        if self.settings.fresh:
            return False
        if task["kind"] not in ("prove", "parse"):
            return self._recall_replayed(task)
        found = self._recall_role(task)
        self.cached += found
        return found

    def _recall_replayed(self, task: dict[str, Any]) -> bool:
        value = self._replayed().get(task["inputs"]) if self.settings.stored else None
        self.replayed += isinstance(value, dict)
        if not isinstance(value, dict):
            value = self.store.get(task["key"])
            self.cached += isinstance(value, dict)
        if not isinstance(value, dict):
            return False
        self._take(task, value)
        return True

    def _recall_stored(self, claim: str) -> None:
        """Take the roles of a claim from its stored certificate: where it is not out of date, and of the formula bound here."""
        for binding in self.registry.roles(claim):
            place = (claim, binding.role)
            own = self.keys.own(binding)
            if place not in self.roles and place not in self.dropped and self.stored.current(claim, binding.role, own):
                task = {"kind": "prove", "claim": claim, "role": binding.role, "text": binding.text}
                result = self._of_stored(task, own)
                if result is not None:
                    self.roles[place] = result
                    self.stored_roles.add(place)

    def _of_stored(self, task: dict[str, Any], own: str) -> RoleResult | None:
        """What is stored of a role: by its brief, else read here; None where it is another formula than the one parsed here."""
        claim, role = place = (task["claim"], task["role"])
        source = self.stored.digest(claim)
        key = cache_key(digest(["stored", claim, role, source, own, self.keys.engine, whole_library()]))
        read = partial(self.stored.content, claim, role)
        brief = None if self.settings.rechecks else self.store.get(briefs.key(key))
        result = briefs.recall(brief, source, read)
        if result is None:
            content = read()
            if content["proof"] is None or not self._speaks_of(task, {"status": PROVED, **content}, self._parse(task)):
                return None
            result = RoleResult.outlined(content, read)
            self.rows[place] = (key, source)
        elif brief is not None and role == NEGATION:
            self.refuting[place] = (key, source, brief["under"])
        return result

    def drop_refused(self) -> bool:
        """Forget roles whose stored certificates the checker refused, so that they are proved again; whether there are any.

        Those come first whose lemmas are all accepted: with them the others may be accepted.
        """
        refused = {place for place in self.stored_roles if self.roles[place].refused}
        first = {place for place in refused if not refused & set(self.roles[place].summary().lemmas)} or refused
        for place in first:
            self.dropped[place] = self.roles.pop(place).refused
            self.stored_roles.discard(place)
            self.rows.pop(place, None)
            self.refuting.pop(place, None)
        return bool(first)

    def _recall_role(self, task: dict[str, Any]) -> bool:
        """Take a formula or proof from the cache: by its brief, or, whoever stored it, when it speaks of what is bound here.

        A formula in it must be the one that is parsed here, and what it names in the library of facts must be as it was.
        """
        row = self.store.row(task["key"])
        if row is None:
            return False
        read = partial(self.store.open, row)
        brief = None if self.settings.rechecks else self.store.get(briefs.key(task["key"]))
        source = sha256(row)
        result = briefs.recall(brief, source, read)
        if result is None or not result.rests_on:
            value = read()
            if not isinstance(value, dict) or not isinstance(value.get("status"), str):
                return False
            if result is None:
                if not self._speaks_of(task, value, self._parse(task)):
                    return False
                result = _role(value)
            if value.get("library") != result.library():
                return False
            result.known_values = None
            self.rows[(task["claim"], task["role"])] = (task["key"], source)
        elif brief is not None and task["role"] == NEGATION and result.status == PROVED:
            self.refuting[(task["claim"], task["role"])] = (task["key"], source, brief["under"])
        self.roles[(task["claim"], task["role"])] = result
        return True

    def _replayed(self) -> Mapping[str, dict[str, Any]]:
        """What is recorded of experiments and figures: it stands until an input changes, whatever the machine."""
        if self.recorded is None:
            self.recorded = {**recorded.experiments(self.project), **recorded.figures(self.project)}
        return self.recorded

    def _keep(self, task: dict[str, Any], answer: dict[str, Any]) -> None:
        self.seconds[f"{task['claim']} {task['role']}"] = answer.pop("seconds", 0.0)
        self._parse_again(task, answer)
        if task["kind"] in ("prove", "parse"):
            answer["library"] = _role(answer).library()
        if answer["status"] != TIMED_OUT and not answer.pop("transient", False):
            row = self.store.put(task["key"], answer)
            if task["kind"] in ("prove", "parse"):
                self.rows[(task["claim"], task["role"])] = (task["key"], sha256(row))
        self._take(task, answer)
        self.computed.append(f"{task['claim']} {task['role']}")
        self.progress.step(f"{task['claim']} {task['role']}", answer["status"] in (FAILED, TIMED_OUT))

    def _parse_again(self, task: dict[str, Any], answer: dict[str, Any]) -> None:
        """The formula that counts is parsed here, where no proof module was imported."""
        clean = self._parse(task)
        if not self._speaks_of(task, answer, clean):
            answer.clear()
            answer.update(status=FAILED, formula=clean, error="the worker proved another statement than the one bound")

    def _parsed(self, task: dict[str, Any]) -> dict[str, Any]:
        """The answer to a task that asks for no proof."""
        try:
            language = Language(self.settings.kernel)
            formula = language.parse(task["text"])
        except Exception as error:  # whatever a statement does to the parser is the answer
            return {"status": FAILED, "error": f"the statement cannot be parsed: {describe(error)}"}
        if language.says_nothing(formula):
            return {"status": FAILED, "error": SAYS_NOTHING}
        return {"status": PARSED, "formula": formula}

    def _parse(self, task: dict[str, Any]) -> Any:
        """The formula of the text that is bound; None when there is none."""
        if task["kind"] not in ("prove", "parse"):
            return None
        try:
            language = Language(self.settings.kernel)
            formula = language.parse(task["text"])
            return None if fault(language, self.registry, task["claim"], task["role"], formula) else formula
        except Exception:  # whatever a statement does to the parser, there is no formula
            return None

    @staticmethod
    def _speaks_of(task: dict[str, Any], answer: Mapping[str, Any], clean: Any) -> bool:
        """Whether an answer is about the formula `clean`; one that proves nothing may have no formula."""
        if task["kind"] not in ("prove", "parse"):
            return True
        formula = answer.get("formula")
        if formula is None:
            return answer["status"] not in (PROVED, PARSED)
        return clean is not None and canonical(clean) == canonical(formula)

    def _take(self, task: dict[str, Any], answer: Mapping[str, Any]) -> None:
        key = (task["claim"], task["role"])
        if task["kind"] == "figure":
            parts = {k: answer[k] for k in ("svg", "data", "caption", "error") if k in answer}
            self.figures[key] = FigureResult(answer["status"], **parts)
            return
        if task["kind"] != "experiment":
            self.roles[key] = _role(answer)
            self.roles[key].rests_on = answer["library"]
            return
        test = self.registry.experiments[key]
        self.tests[key] = TestResult(
            status=answer["status"],
            grade=test.grade,
            seed=test.seed,
            profile=task["profile"],
            holds=bool(answer.get("holds", False)),
            statistics=answer.get("statistics", {}),
            error=answer.get("error", ""),
            data=answer.get("data"),
        )

    def check(self) -> None:
        """Pass every certificate that was not yet accepted to the checker, and note what it refuses."""
        proved: dict[str, dict[str, RoleResult]] = {}
        for (claim, role), result in sorted(self.roles.items(), key=lambda item: item[0]):
            if result.status == PROVED:
                proved.setdefault(claim, {})[role] = result
        below = _closures(proved)
        keys = self.check_keys = self._check_keys(proved, below)
        new = [c for c in proved if self.checked.get(c) != keys[c]]
        if not self.settings.rechecks:
            new = [c for c in new if self.store.get(keys[c]) != {}]  # only an acceptance is stored
        self.checked.update((c, keys[c]) for c in new)
        if new:
            self.progress.stage(f"checking {len(new)} certificates", 0)
            self._check_new(proved, new, below, keys)

    def _check_new(
        self,
        proved: Mapping[str, Mapping[str, RoleResult]],
        new: list[str],
        below: Mapping[str, set[str]],
        keys: Mapping[str, str],
    ) -> None:
        needed = sorted({c for claim in new for c in below[claim] if c in proved})
        with checking.private(self.project.cache) as folder:
            for claim in needed:
                self._write_certificate(folder, claim, proved[claim])
            pins = certificates.statements(self.roles)
            write(folder / "statements.json", canonical(pins) + "\n")
            answers = self.settings.check(folder, new, self.settings.processes, self.progress)
        with self.store.together():
            for claim in new:
                whole = answers.get((claim, "certificate"), "the checker gave no answer")
                refusals = {role: answers.get((claim, role), whole) for role in proved[claim]}
                refusals = {role: why for role, why in refusals.items() if why}
                if not refusals:  # a refusal may be due to a lemma that is accepted next time
                    self.store.put(keys[claim], refusals)
                self._refuse(claim, proved[claim], refusals)

    def _write_certificate(self, folder: Path, claim: str, roles: Mapping[str, RoleResult]) -> None:
        """Write the certificate of a claim: as it is stored where it is of just these roles, which is faster."""
        path = certificates.path_of(folder, claim)
        taken = self.stored_roles | self.derived_roles
        if all((claim, role) in taken for role in roles) and self.stored.parts(claim).keys() == roles.keys():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(self.stored.raw(claim))
            return
        certificate = certificates.build(claim, roles)
        if certificate is not None:
            write(path, certificates.text_of(certificate))

    def _refuse(self, claim: str, roles: Iterable[str], refusals: Mapping[str, str]) -> None:
        for role in roles:
            self.roles[(claim, role)].refused = refusals.get(role, "")

    def _check_keys(self, proved: Mapping[str, Any], below: Mapping[str, set[str]]) -> dict[str, str]:
        """The checker's answer depends on its sources, the pins, the certificate, those that it rests on, and their facts."""
        checker = self.keys.sources.tree_digest("verify.recheck")
        by_claim: dict[str, list[list[Any]]] = {}
        for (claim, role), result in sorted(self.roles.items(), key=lambda item: item[0]):
            proof = result.proof_digest() if result.status == PROVED else None
            by_claim.setdefault(claim, []).append([role, result.digest(), proof, result.library()])
        own = {claim: digest(parts) for claim, parts in by_claim.items()}
        rests = {claim: [[c, own.get(c)] for c in sorted(below[claim])] for claim in proved}
        return {claim: cache_key(digest(["check", checker, rests[claim]])) for claim in proved}

    def keep_briefs(self) -> None:
        """Keep the brief of every result that was computed or that was read as a whole."""
        for key, (task, source, under) in self.refuting.items():
            if under != self.check_keys.get(key[0]):  # the instance may be that of a lemma, which has another proof now
                self.roles[key].known_values = None
                self.rows[key] = (task, source)
        find = instances.finder(Language(self.settings.kernel), self.roles)
        made: dict[str, dict[str, Any]] = {}
        for key, (task, source) in self.rows.items():
            result = self.roles[key]
            if key[1] == NEGATION and result.status == PROVED and not result.refused:
                result.values(find)
            made[briefs.key(task)] = briefs.make(result, source, self.check_keys.get(key[0], ""))
        if made:
            with self.store.together():
                for brief, value in made.items():
                    self.store.put(brief, value)

    def accepted(self, results: Results) -> dict[str, dict[str, RoleResult]]:
        """The roles that count, by claim, of every claim that has any."""
        found = {claim: results.accepted(claim) for claim in sorted({claim for claim, _ in self.roles})}
        return {claim: roles for claim, roles in found.items() if roles}

    def results(self) -> Results:
        """Everything together."""
        found = Results(self.project.claims, self.registry, self.roles, self.tests, self.figures)
        found.mutants = mutants.counts(self.project, self.roles)
        if self.roles:
            language = Language(self.settings.kernel)
            found.show, found.negate, found.find = language.pretty, language.negate, instances.finder(language, self.roles)
        return found


def _closures(proved: Mapping[str, Mapping[str, RoleResult]]) -> dict[str, set[str]]:
    """For every claim itself and the claims that its proofs use, directly or not."""
    below = {c: {used for result in roles.values() for used, _ in result.summary().lemmas} for c, roles in proved.items()}
    found: dict[str, set[str]] = {}
    for claim in proved:
        closure, queue = {claim}, [claim]
        while queue:
            new = below.get(queue.pop(), set()) - closure
            closure |= new
            queue.extend(new)
        found[claim] = closure
    return found


def _role(answer: Mapping[str, Any]) -> RoleResult:
    return RoleResult(answer["status"], answer.get("formula"), answer.get("proof"), answer.get("error", ""))
