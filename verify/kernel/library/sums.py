"""Finite sums and products over an index."""

D, A = "definition", "axiom"
S = "finite sums"

FACTS = [
    ("sum_empty", D, "lo hi:Z, E:Z->R", "hi < lo => sum(i, lo, hi, E(i)) = 0", "An empty sum.", S),
    ("sum_last", D, "lo hi:Z, E:Z->R", "lo <= hi => sum(i, lo, hi, E(i)) = sum(i, lo, hi - 1, E(i)) + E(hi)", "Split off the last term.", S),
    ("sum_first", D, "lo hi:Z, E:Z->R", "lo <= hi => sum(i, lo, hi, E(i)) = E(lo) + sum(i, lo + 1, hi, E(i))", "Split off the first term.", S),
    ("sum_split", D, "lo mid hi:Z, E:Z->R", "lo <= mid + 1 => mid <= hi => sum(i, lo, hi, E(i)) = sum(i, lo, mid, E(i)) + sum(i, mid + 1, hi, E(i))", "Split a range.", S),
    ("sum_ext", D, "lo hi:Z, E F:Z->R", "(all i:Z. lo <= i and i <= hi => E(i) = F(i)) => sum(i, lo, hi, E(i)) = sum(i, lo, hi, F(i))", "Equal terms.", S),
    ("sum_mono", D, "lo hi:Z, E F:Z->R", "(all i:Z. lo <= i and i <= hi => E(i) <= F(i)) => sum(i, lo, hi, E(i)) <= sum(i, lo, hi, F(i))", "Termwise comparison.", S),
    ("sum_nonneg", D, "lo hi:Z, E:Z->R", "(all i:Z. lo <= i and i <= hi => 0 <= E(i)) => 0 <= sum(i, lo, hi, E(i))", "A sum of nonnegative terms.", S),
    ("sum_term_le", D, "lo hi:Z, E:Z->R", "(all i:Z. lo <= i and i <= hi => 0 <= E(i)) => all j:Z. lo <= j and j <= hi => E(j) <= sum(i, lo, hi, E(i))", "A nonnegative term is at most the sum.", S),
    ("sum_zero_terms", D, "lo hi:Z, E:Z->R", "(all i:Z. lo <= i and i <= hi => 0 <= E(i)) => sum(i, lo, hi, E(i)) = 0 => all j:Z. lo <= j and j <= hi => E(j) = 0", "A vanishing sum of nonnegative terms.", S),
    ("sum_const", D, "lo hi:Z, c:R", "lo <= hi + 1 => sum(i, lo, hi, c) = (hi - lo + 1)*c", "Constant terms.", S),
    ("sum_delta", D, "lo hi k:Z, E:Z->R", "lo <= k => k <= hi => (all i:Z. lo <= i and i <= hi => i != k => E(i) = 0) => sum(i, lo, hi, E(i)) = E(k)", "Only one term is not zero.", S),
    ("sum_swap", D, "a b c e:Z, E:(Z,Z)->R", "sum(i, a, b, sum(j, c, e, E(i,j))) = sum(j, c, e, sum(i, a, b, E(i,j)))", "Exchange of finite sums.", S),
    ("sum_shift", D, "lo hi k:Z, E:Z->R", "sum(i, lo, hi, E(i)) = sum(i, lo - k, hi - k, E(i + k))", "Shift of the index.", S),
    ("sum_abs", D, "lo hi:Z, E:Z->R", "abs(sum(i, lo, hi, E(i))) <= sum(i, lo, hi, abs(E(i)))", "Triangle inequality.", S),
    ("prod_empty", D, "lo hi:Z, E:Z->R", "hi < lo => prod(i, lo, hi, E(i)) = 1", "An empty product.", S),
    ("prod_last", D, "lo hi:Z, E:Z->R", "lo <= hi => prod(i, lo, hi, E(i)) = prod(i, lo, hi - 1, E(i)) * E(hi)", "Split off the last factor.", S),
    ("prod_ext", D, "lo hi:Z, E F:Z->R", "(all i:Z. lo <= i and i <= hi => E(i) = F(i)) => prod(i, lo, hi, E(i)) = prod(i, lo, hi, F(i))", "Equal factors.", S),
    ("cauchy_schwarz", A, "lo hi:Z, E F:Z->R", "sum(i, lo, hi, E(i)*F(i))^2 <= sum(i, lo, hi, E(i)^2) * sum(i, lo, hi, F(i)^2)", "Cauchy-Schwarz inequality for finite sums.", "A.-L. Cauchy, Cours d'analyse (1821), note II"),
]
