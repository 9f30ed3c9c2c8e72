"""Findings of figures that runs decide: why nothing stronger is claimed for each."""

from __future__ import annotations

from verify.registry import simulated

SEEDS = {
    "fig-1b": "targets and starts are random, and the sentence is about what such runs tend to: a proof would be about the law of the limit, of "
    "which only the case of equal diagonal values and the family (7) is known (assertion-intro-l2-rank2, assertion-intro-deep-rank1)",
    "fig-1c": "targets and starts are random; for depth 2 a bound for every small start is proved (assertion-theorem-1-near-rank-1), for greater "
    "depth, and that the bias gets stronger with it, nothing is known",
    "fig-3-setup": "a protocol with random targets, sets and starts; that runs converge can be seen only by running",
    "fig-3-pretrain": "a finding on means over random seeds, in float64; 100 x 100 factors are beyond certified flows",
    "fig-3-deep-warm": "a finding on means over random seeds, in float64; 100 x 100 factors are beyond certified flows",
    "fig-3-absolute-quality": "a finding on random seeds, in float64; 100 x 100 factors are beyond certified flows",
    "fig-3-depth2-loss": "a finding on means over random seeds, in float64; 100 x 100 factors are beyond certified flows",
    "fig-4-setup": "a protocol with random targets and starts; that the runs converge can be seen only by running. The count of the patterns is "
    "proved (assertion-e1-patterns)",
    "fig-4-discrepancy": "a finding on means over random targets and starts",
    "fig-8": "a finding on gradient descent with a finite step, which is not the flow; its limits are compared with certified ones",
    "fig-9-setup": "part (b) is a protocol with 1000 random starts; the limits of part (a) are certified roots",
    "fig-9a": "the increase in m is certified on a grid, but the comparison with Gaussian starts rests on random seeds",
    "fig-9b": "a finding on quantiles over random starts; that of part (a) alone rests on certified roots",
}

for _claim, _because in SEEDS.items():
    simulated(f"shin2025.{_claim}", because=f"Simulated: {_because}")
