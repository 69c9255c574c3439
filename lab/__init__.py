"""The measured part: train small transformers with each encoding and see what they do past it.

`RunSpec` says what is trained, `training.Trainer` trains it, `evaluation` and `probe` measure it,
`shipped` holds what comes with the project and how it was made.
"""
