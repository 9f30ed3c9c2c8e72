"""The commands of `verify`: each module defines one click command named `command`.

A new command is a new module here; nothing else has to be changed. Import anything heavy inside the function, so that
`verify --help` stays quick.
"""
