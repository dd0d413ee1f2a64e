import TroveStorage

extension BackendSpecification {
    /// Guarantee 8: bad arguments are typed errors raised before anything is written.
    static let limits: [SpecificationCase] = [
        SpecificationCase("limits.empty-key", "The empty key is refused everywhere, changes nothing and does not poison.") { run in
            let store = try run.open()
            try store.writing { writer, data in
                try writer.put([1], [1], in: data)
                try run.fails(with: StorageError.emptyKey, "put") { try writer.put([], [2], in: data) }
                try run.fails(with: StorageError.emptyKey, "insert") { try writer.insert([], [2], in: data) }
                try run.fails(with: StorageError.emptyKey, "delete") { try writer.delete([], in: data) }
                try run.fails(with: StorageError.emptyKey, "get") { try writer.contains([], in: data) }
                try run.fails(with: StorageError.emptyKey, "getMany") { try writer.getMany([[1], []], in: data) { _, _ in } }
                try run.equal(try writer.entries(in: data), [Entry([1], [1])], "the contents after the refusals")
                try writer.put([2], [2], in: data)
            }
            try store.reading { reader, data in
                try run.fails(with: StorageError.emptyKey, "get in a read") { try reader.contains([], in: data) }
                try run.equal(try reader.keys(in: data), [[1], [2]], "the keys after the commit")
            }
        },
        SpecificationCase("limits.key-size", "Keys up to maxKeySize are taken, one byte more is refused.") { run in
            let store = try run.open()
            let limit = store.capabilities.maxKeySize
            // An engine without a limit, or with one that no key of memory reaches, refuses none.
            let longest = [UInt8].pattern(store.capabilities.tooLongKey == nil ? 1 << 16 : limit)
            let refused = store.capabilities.tooLongKey == nil ? [] : [limit + 1, limit + 2, limit + 1_000]
            try store.writing { writer, data in
                try writer.put(longest, [1], in: data)
                for size in refused {
                    let key = [UInt8].pattern(size)
                    try run.fails(with: StorageError.keyTooLarge, "put with \(size) bytes") { try writer.put(key, [1], in: data) }
                    try run.fails(with: StorageError.keyTooLarge, "insert with \(size) bytes") { try writer.insert(key, [1], in: data) }
                    try run.fails(with: StorageError.keyTooLarge, "delete with \(size) bytes") { try writer.delete(key, in: data) }
                    try run.fails(with: StorageError.keyTooLarge, "get with \(size) bytes") { try writer.contains(key, in: data) }
                    try run.fails(with: StorageError.keyTooLarge, "getMany with \(size) bytes") { try writer.getMany([longest, key], in: data) { _, _ in } }
                }
                try writer.put([2], [2], in: data)
            }
            try store.reading { reader, data in
                for size in refused {
                    let key = [UInt8].pattern(size)
                    try run.fails(with: StorageError.keyTooLarge, "get with \(size) bytes in a read") { try reader.contains(key, in: data) }
                    // Engines have another way for longer lists.
                    for count in [1, 20] {
                        try run.fails(with: StorageError.keyTooLarge, "getMany with \(size) bytes among \(count) keys in a read") {
                            try reader.getMany((1..<count).map { .number($0) } + [key, [2]], in: data) { _, _ in }
                        }
                    }
                }
                try run.equal(try reader.value(of: longest, in: data), [1], "the value of the longest key")
                try run.equal(try reader.count(in: data), 2, "the number of entries")
            }
        },
        SpecificationCase("limits.every-key-size", "Keys of 1 to 511 bytes can be put, replaced, found and deleted.") { run in
            let store = try run.open()
            let keys = (1...StorageLimits.maxKeySize).map { [UInt8].pattern($0, seed: 7) }
            try store.writing { writer, data in
                for key in keys { try writer.put(key, .number(key.count), in: data) }
                for key in keys { try writer.put(key, .number(key.count + 1), in: data) }
                for key in keys where key.count % 3 == 0 {
                    try run.equal(try writer.delete(key, in: data), true, "the answer to delete with \(key.count) bytes")
                }
            }
            let reopened = try run.reopen(store)
            try reopened.reading { reader, data in
                for key in keys {
                    try run.equal(
                        try reader.value(of: key, in: data), key.count % 3 == 0 ? nil : .number(key.count + 1),
                        "the value of the key of \(key.count) bytes")
                }
            }
        },
        SpecificationCase("limits.value-size", "A value over maxValueSize is refused before anything is written, and the transaction goes on.") { run in
            let store = try run.open()
            let limit = store.capabilities.maxValueSize
            guard limit < 1 << 40 else { return }
            // Zero pages that nobody touches take no memory.
            guard let tooLarge = ZeroBytes(count: limit + 1) else {
                throw run.failure("\(limit + 1) bytes of address space, for a value that is too large", found: "that the system gives none")
            }
            let key: [UInt8] = [1]
            try store.fill([Entry([1], [1])])
            try store.writing { writer, data in
                try run.fails(with: StorageError.valueTooLarge, "put") {
                    try tooLarge.withBytes { try writer.put(key.span.bytes, $0, in: data) }
                }
                try run.fails(with: StorageError.valueTooLarge, "insert under a key that exists") {
                    try tooLarge.withBytes { try writer.insert(key.span.bytes, $0, in: data) }
                }
                let newKey: [UInt8] = [9]
                try run.fails(with: StorageError.valueTooLarge, "insert") {
                    try tooLarge.withBytes { try writer.insert(newKey.span.bytes, $0, in: data) }
                }
                try run.equal(try writer.entries(in: data), [Entry([1], [1])], "the contents after the refusals")
                try writer.put([2], [2], in: data)
            }
            try run.equal(try store.entries() ?? [], [Entry([1], [1]), Entry([2], [2])], "the contents after the commit")
        },
        SpecificationCase("limits.keyspace-count", "A store takes as many keyspaces as maxKeyspaces says, up to 6,000 where it says more than 20,000; where that is the limit one more is refused, and the store goes on.") { run in
            let store = try run.open()
            let limit = store.capabilities.maxKeyspaces
            let count = limit <= 20_000 ? limit : 6_000
            try store.write(.relaxed) { writer in
                for number in 0..<count { _ = try writer.createKeyspace(named: "keyspace \(number)") }
            }
            try run.equal(try store.statistics().keyspaceCount, count, "the number of keyspaces")
            try store.write(.relaxed) { writer in
                if count == limit {
                    try run.fails(with: StorageError.tooManyKeyspaces, "creating one keyspace more") { try writer.createKeyspace(named: "more") }
                }
                guard let first = try writer.keyspace(named: "keyspace 0") else { throw MissingKeyspace() }
                try writer.dropKeyspace(first)
            }
            try store.write(.relaxed) { writer in try writer.put([1], [1], in: writer.createKeyspace(named: "more")) }
            try run.equal(try store.entries(named: "more") ?? [], [Entry([1], [1])], "the contents of the keyspace created after one was dropped")
        },
    ]
}
