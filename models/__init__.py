"""Real checkpoints: find, load, attend with every stage, measure; nothing here trains.

    from models.files.find import installed
    from models.forward import forward
    from models.opened import open_model
    from models.change import Change

    model = open_model(installed())
    tokens = model.tokens("The animal didn't cross the street")
    seen = forward(model, tokens.ids)                      # as trained
    seen.attention(3)                                      # posenc's AttentionRows of layer 3
    seen.bits()                                            # bits of every token after the first
    forward(model, tokens.ids, Change(method="yarn", factor=4.0)).next_tokens(5)

Everything but position is transformers' own code: the model's rotation is switched off, and
`posenc` attends in its place, with the queries and keys from before position enters. What it
computes equals what transformers computes alone; the tests hold every family to that. No code of a
checkpoint is ever run: safetensors and GGUF only, `trust_remote_code` is off.
"""
