"""Did a setting take effect? A running server is asked, from the command line alone.

`posenc check URL [FILE]` asks an OpenAI-compatible endpoint (vLLM, SGLang, llama-server, Ollama,
LM Studio, TGI, transformers) which length it admits to, where it cuts, what it still finds of a
long prompt, and whether its log-probabilities are those of the scaling in the file.

Nothing of this folder may be imported by the web app: a server must never fetch addresses that
strangers type. `make contracts` holds that.
"""
