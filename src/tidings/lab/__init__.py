"""Measuring and picturing everything else."""
