"""Matrices given by their entries."""

D = "definition"
M = "linear algebra"

FACTS = [
    ("matrix_of_entries", D, "m n:Z, E:(Z,Z)->R", "ex X:M(m,n). all i j:Z. 1 <= i and i <= m and 1 <= j and j <= n => X[i,j] = E(i,j)", "There is a matrix with given entries.", M),
]
