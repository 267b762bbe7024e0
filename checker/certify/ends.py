class Endings:
    def __init__(self,*a): pass
    def all(self,*a): return []
