"""JupyterLab with a case loaded: a notebook outside of the case, a kernel that a case cannot get into.

A folder of captures comes from strangers. Its notebook lies elsewhere, kernels look for modules
neither in the case nor in the folder that they work in, and the server listens to this machine alone.
"""
