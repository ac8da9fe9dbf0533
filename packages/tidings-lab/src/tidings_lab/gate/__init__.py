"""The accuracy gate: measured values against stored floors, so that no change lowers accuracy unnoticed."""
