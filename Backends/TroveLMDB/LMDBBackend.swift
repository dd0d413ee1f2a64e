import CLMDB
import TroveStorage
