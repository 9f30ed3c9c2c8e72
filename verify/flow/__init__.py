"""Models of gradient flow on linear networks and tensors, and where their flows go.

- :mod:`models`: each model and its flow, written once over abstract arithmetic.
- :mod:`validated`: enclosures at a time or at infinity that provably contain the true value
  (:func:`~verify.flow.validated.certified_limit`, :func:`~verify.flow.validated.enclose`).
- :mod:`certificate`: their certificates, with a polynomial for each step; :mod:`recheck` and the modules recheck_*: the
  independent checker of these (python-flint and the standard library only); :mod:`recheck_numbers`: what an accepted one says of
  product, loss and spectrum.
- :mod:`pair`: the deep scalar pair, by an invariant and a rigorous root.
- :mod:`reductions`: flows that decouple or have a closed form, part by part.
- :mod:`sweep`: all patterns of a grid; :mod:`family` gives each run its own table, :mod:`stiff` takes long slow ends.
- :mod:`rest`: whether a point of rest is a saddle or a minimum, by certified signs of the Hessian.
- :mod:`precise`: one answer in high precision; :mod:`scales`: answers from starts of several scales, a row each.
- :mod:`deadline`: the time limit of a command, asked for between steps and enforced by an alarm.
- :mod:`doubles`: one answer in double precision for tables of any size; :mod:`stabilised` takes its long slow end.
- :mod:`highprec`: Taylor series with mpmath numbers in and out, not rigorous.
- :mod:`batch`: float64 gradient descent and flow for many initialisations at once.

Inside: :mod:`tape` records a model as a straight-line program, :mod:`taylor` expands it (:mod:`direct` is an
accelerator of that), :mod:`majorant` and :mod:`geometry` hold the bounds, :mod:`balls` the arithmetic.
:mod:`exponential` makes the last step near a limit, along a sum of exponentials; :mod:`foresight` tells a run that cannot get
there. :mod:`stride` makes whole steps
faster, on :mod:`fixedpoint`, which is compiled where a C compiler is found.
Accelerators are compared with the plain path when they are first used, are never needed, and VERIFY_FLOW_PLAIN=1
switches them off. A certificate made with :mod:`fixedpoint` has other (fewer) steps than one made without it; both hold.

| engine | domain |
| --- | --- |
| batch | float64 entries of size 1e240^(+-1/(L+1)); about nine digits |
| highprec | any scale, any digits, any model; errors are estimated, not bounded |
| validated, finite time | any scale, any digits, any model; as long as enough digits are carried |
| validated, infinity | linear networks and CP tensors; a limit of zero loss with a Jacobian of full row rank |
| pair | lambda_i(0) > 0, any depth and target |

Nothing here is safe to use from several threads: python-flint has one precision for the whole process.
"""
