-- By which recipe a source is read (recipes/); empty: by the default.

ALTER TABLE source ADD COLUMN recipe {text} NOT NULL DEFAULT '';
