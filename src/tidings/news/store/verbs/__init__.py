"""What the store can do, in the words of the field: one file for each of its subjects, each written once for both
databases.
"""
