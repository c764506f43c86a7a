"""JupyterLab with a case loaded: the notebook is outside the case, and files of the case are never run.

A folder of captures is untrusted. Its notebook is stored elsewhere, kernels do not import modules from the
case or from the working directory, and the server listens only on this machine.
"""
