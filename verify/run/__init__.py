"""Running claims: order by dependency, cache by content, one process per core, checking in a clean process."""
