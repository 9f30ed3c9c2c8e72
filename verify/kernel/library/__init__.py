"""Source of `facts.json`: facts in surface syntax, one module per topic. `python -m verify.kernel.library` writes the file.

An entry is `(name, kind, params, formula, says, source)`; params are declarations such as "x y:R, n:Z, E:R->R". A parameter with
an arrow is a lambda; in the formula E(t) is its value at t and dom(E, t) the condition under which it is smooth near t.
"""
