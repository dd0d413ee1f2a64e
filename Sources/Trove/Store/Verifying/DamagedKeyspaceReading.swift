import TroveStorage

/// The reading of one keyspace of a file whose structure is damaged: from its beginning and, where damage is in the way, from its end.
struct DamagedKeyspaceReading {
    /// What ends a scan before its end.
    private enum Obstacle {
        case keysOutOfOrder
        /// The entries cannot be checked, as what belongs to them is damaged.
        case unchecked(any Error)
        case damage(any Error)
    }

    private let core: StoreCore
    private let name: String
    private let content: KeyspaceContent
    /// What tells how the ids of records are shown; nil of other entries.
    private var model: ModelBinding?
    /// Whether entries are checked, and not only read.
    private var isChecked = true
    /// The last keys that were read: from the beginning on, empty before the first, and from the end on, nil before the first.
    private var below: [UInt8] = []
    private var above: [UInt8]?
    private var order = ScanOrder.ascending
    /// How many entries were read, and how many were told.
    private var (count, told) = (0, 0)

    init(_ name: String, of core: StoreCore) {
        self.core = core
        self.name = name
        content = KeyspaceContent(name, in: core)
    }

    /// Returns whether all was read. Keys only ascend here, or descend, so that it ends whatever the pages say.
    mutating func run(_ report: inout VerificationReport, _ advance: () throws -> Void) throws -> Bool {
        var isWhole = true
        while true {
            let start = count
            guard let obstacle = try scan(&report, advance) else { return isWhole && order == .ascending }
            switch obstacle {
            case .unchecked(let error):
                isChecked = false
                report.isPartial = true
                report.add(error, of: [], in: name, after: &told)
                continue
            case .damage where count > start: continue  // A fresh transaction may read on.
            case .damage(let error):
                report.isPartial = true
                isWhole = false
                if let key = try nextKey() {
                    _ = key.withUnsafeBytes { takes($0.bytes) }
                    report.add(error, of: key, in: name, model, after: &told)
                    report.count(content)
                    continue
                }
                if order == .ascending { report.add(error, of: [], in: name, after: &told) }
            case .keysOutOfOrder:
                report.isPartial = true
                if order == .ascending { report.add(core.keysOutOfOrder, of: [], in: name, after: &told) }
            }
            if order == .descending { return false }
            order = .descending
        }
    }

    /// Reads on until an obstacle; nil when nothing is left.
    private mutating func scan(_ report: inout VerificationReport, _ advance: () throws -> Void) throws -> Obstacle? {
        var obstacle: Obstacle?
        do {
            try core.read { transaction in
                var check: ((RawSpan, RawSpan) throws -> Void)? = { _, _ in }
                if isChecked {
                    do {
                        if content == .records { model = try transaction.namedModel(name) }
                        check = try transaction.entryCheck(name, content, inOrder: false)
                    } catch where error.isOfDamage {
                        obstacle = .unchecked(error)
                        return
                    }
                }
                guard let check, let keyspace = try transaction.reader.keyspace(named: name) else { return }
                try transaction.reader.scan(range, in: keyspace, order: order) { key, value in
                    guard isNext(key) else {
                        obstacle = .keysOutOfOrder
                        return .stop
                    }
                    do { try check(key, value) } catch StorageError.transactionPoisoned(let details) {
                        // By the damage of an entry before: this one is for a fresh transaction.
                        throw StorageError.transactionPoisoned(details)
                    } catch where error.isOfDamage {
                        report.add(error, of: [UInt8](copying: key), in: name, model, after: &told)
                    }
                    _ = takes(key)
                    report.count(content)
                    try advance()
                    return .next
                }
            }
        } catch where error.isOfDamage {
            obstacle = .damage(error)
        }
        return obstacle
    }

    /// The key of the entry whose value cannot be read; nil when that cannot be either.
    private func nextKey() throws -> [UInt8]? {
        var next: [UInt8]?
        do {
            try core.read { transaction in
                guard let keyspace = try transaction.reader.keyspace(named: name) else { return }
                try transaction.reader.scanKeys(range, in: keyspace, order: order, expecting: 1) { key in
                    if isNext(key) { next = [UInt8](copying: key) }
                    return .stop
                }
            }
        } catch where error.isOfDamage {
            return nil
        }
        return next
    }

    // MARK: The way

    private var range: KeyRange { KeyRange(from: below.isEmpty ? [] : below + [0], upTo: above) }

    private func isNext(_ key: RawSpan) -> Bool {
        (below.isEmpty || key.compare(to: below[...]) > 0) && above.map { key.compare(to: $0[...]) < 0 } ?? true
    }

    /// Goes on to a key; returns false, and stays, when it does not come next.
    private mutating func takes(_ key: RawSpan) -> Bool {
        guard isNext(key) else { return false }
        count += 1
        if order == .ascending {
            below.removeAll(keepingCapacity: true)
            key.withUnsafeBytes { below.append(contentsOf: $0) }
        } else {
            above = [UInt8](copying: key)
        }
        return true
    }
}

extension Error {
    /// Whether it comes of damage, met now or earlier in the transaction, and is no failure of the engine or the caller's own.
    var isOfDamage: Bool {
        switch self as any Error {
        case StorageError.transactionPoisoned: true
        case let error as StorageError: error.suspectsCorruption
        case is CancellationError, is VerificationEnd: false
        default: true
        }
    }
}
