import TestSupport

/// What a test asks of the probe: one line of JSON on its standard input.
package enum ProbeRequest: Codable, Sendable {
    // Stores. A store stays open, under its path, until it is closed or the process ends.
    /// Opens a store; `timeout`, in milliseconds, bounds every wait.
    case open(Engine, path: String, timeout: Int? = nil)
    /// Opens a store that is not to be changed, with the engine's defaults.
    case openReadOnly(Engine, path: String)
    /// Closes an open store.
    case close(path: String)
    /// Writes the sample contents into an open store.
    case fill(path: String)
    /// Writes other values of the sample's objects, and some more, into an open store, before it gets the sample contents.
    case fillOlder(path: String)
    /// Compares an open store with the sample contents, by every way of reading.
    case check(path: String)
    /// Opens a store that may be damaged, compares it with the sample contents, changes it, compares again and closes it.
    case inspect(Engine, path: String)
    /// Backs an open store up to a new file.
    case backUp(path: String, to: String)
    /// Takes a snapshot of an open store, and closes it.
    case takeSnapshot(path: String)
    /// Compacts an open store.
    case compact(path: String)

    // Numbered transactions, see `Ledger`.
    /// Writes transactions until `limit` or an error is reached, or the process is killed, with a reply for each.
    case append(path: String, payloadSize: Int, limit: Int)
    /// How many transactions an open store holds, all of them whole.
    case countTransactions(path: String)

    // Work for several processes on one store.
    /// Adds one to an account, in so many transactions.
    case increment(path: String, account: Int, times: Int)
    /// Moves random amounts between accounts, in so many transactions.
    case transfer(path: String, accounts: Int, times: Int)
    /// The sum of all accounts, read in so many snapshots; an error when they differ.
    case sum(path: String, times: Int)
    /// Begins a read and stays inside it until the process ends.
    case beginRead(path: String)
    /// Begins a write transaction and stays inside it until `endWrite`.
    case beginWrite(path: String)
    /// Lets the transaction of `beginWrite` commit.
    case endWrite

    // The process and its files.
    /// Gives up the rights of the superuser for good.
    case becomeNobody
    /// Takes the system's record lock on a whole file and keeps it.
    case lockFile(path: String)
    /// Locks a file's first byte together with others, as those do that have an LMDB store open, and keeps it.
    case shareFile(path: String)
    /// Writes zeros into a file, up to `limit` bytes or until the disk is full.
    case fillFile(path: String, limit: Int)
    /// Removes a file.
    case removeFile(path: String)
    /// Lists a directory.
    case list(directory: String)
}
