"""Weka's own learners on our tables: the program that the hybrid paper used, to compare with.

Debian's package `weka` (3.6) runs as a program: tables go out as ARFF files, and the classes that it gives come back as
text. Hall et al. 2009 ("The WEKA data mining software: an update"); Witten and Frank 2005.
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
    """A table as an ARFF file; numbers are written so that they are read back the same."""
    head = [f"@relation {name}", ""]
    head += [
        f"@attribute {one.name} " + ("numeric" if one.numeric else "{" + ",".join(map(_plain, one.values)) + "}")
        for one in instances.attributes
    ]
    head += ["@attribute is {" + ",".join(map(_plain, instances.classes)) + "}", "", "@data"]
    written = [_column(instances, place) for place in range(len(instances.attributes))]
    written.append([_plain(instances.classes[label]) for label in instances.labels.tolist()])
    lines = [",".join(row) for row in zip(*written, strict=True)]
    return "\n".join([*head, *lines, ""])


def _column(instances: BlockInstances, place: int) -> list[str]:
    attribute, values = instances.attributes[place], instances.rows[:, place].tolist()
    return [repr(value) if attribute.numeric else _plain(attribute.values[int(value)]) for value in values]


def _plain(name: str) -> str:
    return _ODD.sub("_", name)


def is_there() -> bool:
    """Whether Weka can be run here."""
    return JAR.is_file() and shutil.which("java") is not None


@dataclass(frozen=True, slots=True)
class WekaClassifier:
    """A learner of Weka that has seen a table; it learns again each time it is asked, as it keeps no model here."""

    instances: BlockInstances
    scheme: str
    options: tuple[str, ...]

    def classify(self, rows: Floats, /) -> Ints:
        """The class of each row.

        Raises:
            InputError: Weka cannot be run, or says that something is wrong.
        """
        nothing = np.zeros(len(rows), np.int64)
        asked = BlockInstances(self.instances.attributes, self.instances.classes, rows, nothing, nothing, nothing)
        with tempfile.TemporaryDirectory(prefix="tidings-weka-") as folder:
            train, test = Path(folder, "train.arff"), Path(folder, "test.arff")
            train.write_text(arff(self.instances), encoding="utf-8")
            test.write_text(arff(asked), encoding="utf-8")
            said = _run([self.scheme, "-t", str(train), "-T", str(test), "-p", "0", *self.options], folder)
        classes = np.array([int(number) - 1 for number in _PREDICTED.findall(said)], np.int64)
        if len(classes) != len(rows):
            raise InputError(f"Weka gave {len(classes)} classes for {len(rows)} rows: {said[-300:]!r}")
        return classes


@dataclass(frozen=True, slots=True)
class Weka:
    """A learner of Weka by its class, with the options of its command line."""

    scheme: str
    options: tuple[str, ...] = ()

    def fit(self, instances: BlockInstances, /) -> WekaClassifier:
        """Keep the table for when it is asked."""
        return WekaClassifier(instances, self.scheme, self.options)

    def model(self, instances: BlockInstances) -> str:
        """What Weka prints of the model that it makes of a table."""
        with tempfile.TemporaryDirectory(prefix="tidings-weka-") as folder:
            train = Path(folder, "train.arff")
            train.write_text(arff(instances), encoding="utf-8")
            return _run([self.scheme, "-t", str(train), "-no-cv", *self.options], folder)


def _run(arguments: list[str], folder: str) -> str:
    java = shutil.which("java")
    if java is None or not JAR.is_file():
        raise InputError("Weka is not installed: run scripts/system-packages as root, or install Debian's package weka")
    command = [java, "-Xmx2g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=4", "-cp", str(JAR), *arguments]
    done = subprocess.run(  # noqa: S603  # a program of the system with our own files
        command, capture_output=True, text=True, check=False, cwd=folder, env={**os.environ, "WEKA_HOME": folder}
    )
    if done.returncode or not done.stdout:
        raise InputError(f"Weka failed: {(done.stderr or done.stdout).strip()[:500]}")
    return done.stdout
