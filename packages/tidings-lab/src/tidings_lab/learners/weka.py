"""Learners of Weka, the program that the hybrid paper used, on our tables for comparison.

Debian's package `weka` (3.6) runs as a program: tables are written as ARFF files, and the predicted classes are parsed
from its output. Hall et al. 2009 ("The WEKA data mining software: an update"); Witten and Frank 2005.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from tidings.errors import InputError
from tidings.page.columns import Ints
from tidings_lab.learners.blocks.instances import BlockInstances, Floats

JAR: Final = Path("/usr/share/java/weka.jar")
_PREDICTED: Final = re.compile(r"^\s*\d+\s+\d+:\S+\s+(\d+):", re.MULTILINE)
_ODD: Final = re.compile(r"[^\w.-]")


def arff(instances: BlockInstances, name: str = "blocks") -> str:
    """Return a table as an ARFF file; numbers are written without loss."""
    head = [f"@relation {name}", ""]
    head += [
        f"@attribute {attribute.name} "
        + ("numeric" if attribute.numeric else "{" + ",".join(map(_plain, attribute.values)) + "}")
        for attribute in instances.attributes
    ]
    head += ["@attribute is {" + ",".join(map(_plain, instances.classes)) + "}", "", "@data"]
    columns = [_column(instances, place) for place in range(len(instances.attributes))]
    columns.append([_plain(instances.classes[label]) for label in instances.labels.tolist()])
    lines = [",".join(row) for row in zip(*columns, strict=True)]
    return "\n".join([*head, *lines, ""])


def _column(instances: BlockInstances, place: int) -> list[str]:
    attribute, values = instances.attributes[place], instances.rows[:, place].tolist()
    return [repr(value) if attribute.numeric else _plain(attribute.values[int(value)]) for value in values]


def _plain(name: str) -> str:
    return _ODD.sub("_", name)


def is_there() -> bool:
    """Return whether Weka is installed on this computer."""
    return JAR.is_file() and shutil.which("java") is not None


@dataclass(frozen=True, slots=True)
class WekaClassifier:
    """A learner of Weka with its training table; it trains again for each prediction, because no model is stored."""

    instances: BlockInstances
    scheme: str
    options: tuple[str, ...]

    def classify(self, rows: Floats, /) -> Ints:
        """Return the class of each row.

        Raises:
            InputError: Weka cannot be run, or reports an error.
        """
        zeros = np.zeros(len(rows), np.int64)
        queries = BlockInstances(self.instances.attributes, self.instances.classes, rows, zeros, zeros, zeros)
        with tempfile.TemporaryDirectory(prefix="tidings-weka-") as folder:
            train, test = Path(folder, "train.arff"), Path(folder, "test.arff")
            train.write_text(arff(self.instances), encoding="utf-8")
            test.write_text(arff(queries), encoding="utf-8")
            output = _run([self.scheme, "-t", str(train), "-T", str(test), "-p", "0", *self.options], folder)
        classes = np.array([int(number) - 1 for number in _PREDICTED.findall(output)], np.int64)
        if len(classes) != len(rows):
            raise InputError(f"Weka gave {len(classes)} classes for {len(rows)} rows: {output[-300:]!r}")
        return classes


@dataclass(frozen=True, slots=True)
class Weka:
    """A learner of Weka by its class, with command-line options."""

    scheme: str
    options: tuple[str, ...] = ()

    def fit(self, instances: BlockInstances, /) -> WekaClassifier:
        """Store a table, from which Weka trains for each prediction."""
        return WekaClassifier(instances, self.scheme, self.options)

    def model(self, instances: BlockInstances) -> str:
        """Return Weka's description of the model that it trains on a table."""
        with tempfile.TemporaryDirectory(prefix="tidings-weka-") as folder:
            train = Path(folder, "train.arff")
            train.write_text(arff(instances), encoding="utf-8")
            return _run([self.scheme, "-t", str(train), "-no-cv", *self.options], folder)


def _run(arguments: list[str], folder: str) -> str:
    java = shutil.which("java")
    if java is None or not JAR.is_file():
        raise InputError("Weka is not installed: run scripts/system-packages as root, or install Debian's package weka")
    command = [java, "-Xmx2g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=4", "-cp", str(JAR), *arguments]
    process = subprocess.run(  # noqa: S603  # a program of the system with our own files
        command, capture_output=True, text=True, check=False, cwd=folder, env={**os.environ, "WEKA_HOME": folder}
    )
    if process.returncode or not process.stdout:
        raise InputError(f"Weka failed: {(process.stderr or process.stdout).strip()[:500]}")
    return process.stdout
