import CSQLite
import TroveStorage
