"""Other learners for the task of the default extractor: telling content from the rest, block by block.

All get the same features and give chances, so the lab can compare them (`tidings lab study learners`). None ships.
"""

from tidings.learn.rivals.boosted import Boosted
from tidings.learn.rivals.convolution import Convolution
from tidings.learn.rivals.crf import Crf
from tidings.learn.rivals.decision_tree import DecisionTree
from tidings.learn.rivals.forest import Forest
from tidings.learn.rivals.linear import Linear
from tidings.learn.rivals.taught import Judge, Rival, TaughtPage

__all__ = ["Boosted", "Convolution", "Crf", "DecisionTree", "Forest", "Judge", "Linear", "Rival", "TaughtPage"]
