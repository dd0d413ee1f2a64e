import TroveTesting

/// One step of a program over object stores.
enum ObjectStep: ProgramStep {
    /// A transaction, whose body throws at its end when it fails.
    case write([ObjectOperation], fails: Bool)
    case read([ObjectQuery])
    /// Closes the store and opens it again.
    case reopen
    /// Opens the store with a later version of the models: 2 or 3. An earlier one than the store's changes nothing.
    case schema(version: Int)
    /// Rewrites the records of earlier versions.
    case upgrade(batchSize: Int)
    case rebuildIndexes
    /// Copies the store to an engine, by its place in the list, and goes on there.
    case copy(engine: Int)
    case compact
    /// Makes a backup, and goes on in it when asked, where the engine can make one.
    case backUp(goOn: Bool)
    case verify

    var operationCount: Int {
        switch self {
        case .write(let operations, _): 1 + operations.operationCount
        case .read(let queries): 1 + queries.count
        default: 1
        }
    }

    var simplerForms: [[ObjectStep]] {
        switch self {
        case .write(let operations, let fails):
            (fails ? [[.write(operations, fails: false)]] : []) + operations.simplerLists.map { [.write($0, fails: fails)] }
        case .read(let queries): queries.simplerLists.map { [.read($0)] }
        case .backUp(let goOn): goOn ? [[.backUp(goOn: false)]] : []
        case .copy(let engine): engine != 0 ? [[.copy(engine: 0)]] : []
        default: []
        }
    }
}
