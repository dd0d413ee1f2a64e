import TroveStorage

extension StorageProgramRun {
    /// Does an operation; returns its answer, or nil for one that has none: a change asked of a reader, say.
    func answer(to operation: StorageOperation, _ transaction: ProgramTransaction, _ name: String, depth: Int) throws -> StorageAnswer? {
        guard let writer = transaction.writer else { return try look(operation, transaction, name, depth: depth) }
        switch operation {
        case .put(let keyspace, let key, let value):
            try writer.put(key.bytes, value.bytes, in: writer.createKeyspace(named: keyspace))
            return nil
        case .insert(let keyspace, let key, let value):
            return .flag(try writer.insert(key.bytes, value.bytes, in: writer.createKeyspace(named: keyspace)))
        case .fill(let keyspace, let first, let count, let size):
            let keyspace = try writer.createKeyspace(named: keyspace)
            for number in first..<first + count { try writer.put(.number(number), .pattern(size, seed: number), in: keyspace) }
            return nil
        case .create(let keyspace):
            return .count(try writer.count(in: writer.createKeyspace(named: keyspace)))
        case .delete(let keyspace, let key):
            guard let keyspace = try writer.keyspace(named: keyspace) else { return .absent }
            return .flag(try writer.delete(key.bytes, in: keyspace))
        case .remove(let keyspace, let key):
            guard let keyspace = try writer.keyspace(named: keyspace) else { return .absent }
            try writer.remove(key.bytes, in: keyspace)
            return nil
        case .deleteRange(let keyspace, let range):
            guard let keyspace = try writer.keyspace(named: keyspace) else { return .absent }
            return .count(try writer.deleteRange(range.range, in: keyspace))
        case .drop(let keyspace):
            guard let keyspace = try writer.keyspace(named: keyspace) else { return .absent }
            try writer.dropKeyspace(keyspace)
            return .flag(true)
        case .savepoint(let operations, let fails):
            return try nest(operations, fails: fails, writer, name, depth: depth)
        default:
            return try look(operation, transaction, name, depth: depth)
        }
    }

    private func nest(
        _ operations: [StorageOperation], fails: Bool, _ writer: any StorageWriter, _ name: String, depth: Int
    ) throws -> StorageAnswer {
        do {
            try writer.savepoint {
                for (position, operation) in operations.enumerated() {
                    try perform(operation, ProgramTransaction(writer), "\(name).\(position)", depth: depth + 1)
                }
                if fails { throw Deliberate(depth: depth) }
            }
            return .flag(true)
        } catch let error as Deliberate where error.depth == depth {
            return .undone
        }
    }

    /// Does an operation that changes nothing itself.
    private func look(
        _ operation: StorageOperation, _ transaction: ProgramTransaction, _ name: String, depth: Int
    ) throws -> StorageAnswer? {
        let reader = transaction.reader
        switch operation {
        case .get(let keyspace, let key):
            guard let keyspace = try reader.keyspace(named: keyspace) else { return .absent }
            return .value(try reader.value(of: key.bytes, in: keyspace))
        case .getMany(let keyspace, let keys):
            guard let keyspace = try reader.keyspace(named: keyspace) else { return .absent }
            var values: [[UInt8]?] = []
            try reader.getMany(keys.map(\.bytes), in: keyspace) { position, value in
                guard position == values.count else {
                    throw ProgramMismatch(place: name, difference: "found the answer for position \(position), expected \(values.count)")
                }
                // Spans have no `map`.
                if let value { values.append([UInt8](copying: value)) } else { values.append(nil) }
            }
            return .values(values)
        case .count(let keyspace):
            guard let keyspace = try reader.keyspace(named: keyspace) else { return .absent }
            return .count(try reader.count(in: keyspace))
        case .countRange(let keyspace, let range):
            guard let keyspace = try reader.keyspace(named: keyspace) else { return .absent }
            return .count(try reader.count(of: range.range, in: keyspace))
        case .prefetch(let keyspace, let keys):
            if let keyspace = try reader.keyspace(named: keyspace) { try reader.prefetch(keys.map(\.bytes), in: keyspace) }
            return nil
        case .names:
            return .names(try reader.keyspaceNames())
        case .scan(let keyspace, let range, let descending, let limit, let meanwhile):
            return try scan(keyspace, range, descending, limit, expected: nil, meanwhile, transaction, name, depth: depth)
        case .scanExpecting(let keyspace, let range, let descending, let limit, let expected, let meanwhile):
            return try scan(keyspace, range, descending, limit, expected: expected, meanwhile, transaction, name, depth: depth)
        case .scanKeys(let keyspace, let range, let descending, let limit):
            guard let keyspace = try reader.keyspace(named: keyspace) else { return .absent }
            var keys: [[UInt8]?] = []
            try reader.scanKeys(range.range, in: keyspace, order: descending ? .descending : .ascending, expecting: nil) { key in
                keys.append([UInt8](copying: key))
                return keys.count >= limit ? .stop : .next
            }
            return .values(keys)
        case .walk(let keyspace, let moves):
            guard let keyspace = try reader.keyspace(named: keyspace) else { return .absent }
            try walk(moves, transaction, keyspace, name)
            return nil
        default:
            return nil
        }
    }

    private func scan(
        _ keyspace: String, _ range: ProgramRange, _ isDescending: Bool, _ limit: Int, expected: Int?, _ meanwhile: [StorageOperation],
        _ transaction: ProgramTransaction, _ name: String, depth: Int
    ) throws -> StorageAnswer {
        guard let keyspace = try transaction.reader.keyspace(named: keyspace) else { return .absent }
        let order: ScanOrder = isDescending ? .descending : .ascending
        var entries: [Entry] = []
        func visit(_ key: RawSpan, _ value: RawSpan) throws -> ScanStep {
            entries.append(Entry([UInt8](copying: key), [UInt8](copying: value)))
            let position = entries.count - 1
            if position < meanwhile.count { try perform(meanwhile[position], transaction, "\(name).\(position)", depth: depth + 1) }
            return entries.count >= limit ? .stop : .next
        }
        if let expected {
            try transaction.reader.scan(range.range, in: keyspace, order: order, expecting: expected, visit)
        } else {
            try transaction.reader.scan(range.range, in: keyspace, order: order, visit)
        }
        return .entries(entries)
    }

    private func walk(_ moves: [CursorMove], _ transaction: ProgramTransaction, _ keyspace: Keyspace, _ name: String) throws {
        let cursor = try transaction.reader.cursor(in: keyspace)
        for (position, move) in moves.enumerated() {
            let place = "\(name), move \(position)"
            switch move {
            case .seek(let key): try log.record(.flag(try cursor.seek(to: key.bytes.span.bytes)), at: place)
            case .last: try log.record(.flag(try cursor.seekToLast()), at: place)
            case .next: try log.record(.flag(try cursor.next()), at: place)
            case .previous: try log.record(.flag(try cursor.previous()), at: place)
            case .deleteCurrent:
                if let writer = transaction.writer, let key = try cursor.key() { try log.record(.flag(try writer.delete(key, in: keyspace)), at: place) }
            case .put(let key, let value):
                try transaction.writer?.put(key.bytes, value.bytes, in: keyspace)
            }
            try log.record(.entry(try cursor.entry().map { Entry($0.key, $0.value) }), at: place)
        }
    }
}
