"""Other learners for the task of the default extractor: telling content from the rest, block by block.

All get the same features and give chances, so the lab can compare them (`tidings lab study learners`). None ships.
"""

from tidings.lab.learners.rivals.boosted import Boosted
from tidings.lab.learners.rivals.convolution import Convolution
from tidings.lab.learners.rivals.crf import Crf
from tidings.lab.learners.rivals.decision_tree import DecisionTree
from tidings.lab.learners.rivals.forest import Forest
from tidings.lab.learners.rivals.linear import Linear
from tidings.lab.learners.rivals.taught import Judge, Rival, TaughtPage

__all__ = ["Boosted", "Convolution", "Crf", "DecisionTree", "Forest", "Judge", "Linear", "Rival", "TaughtPage"]
