"""The measured part: train small transformers with each encoding and see what they do past it.

`RunSpec` says what is trained, `training.loop.Trainer` trains it, `measuring.plan` says what is
measured of it, `results` holds curves and verdicts, and `queue` does all of this as jobs.
`python -m lab.shipped` makes what comes with the project.
"""
