import TroveStorage

extension BackendSpecification {
    /// The names of keyspaces: any text, as bytes.
    static let keyspaceNames: [SpecificationCase] = [
        SpecificationCase("keyspaces.names", "The names come ascending by their UTF-8 bytes.") { run in
            let store = try run.open()
            // As strings "e\u{301}" and "\u{E9}" are equal and come after "f"; as bytes one comes before it and one after. So bytes are compared.
            let names = ["b", "a", "Z", "ä", "aa", "_", "10", "9", "~", "日本", "🎵", "A", "f", "\u{E9}", "e", "e\u{301}", "eb", "o\u{308}", "p", "\u{F6}"]
            for name in names { try store.fill([], in: name) }
            let expected = names.map { [UInt8]($0) }.sorted { $0.lexicographicallyPrecedes($1) }
            func listed(_ reader: any StorageReader) throws -> [[UInt8]] { try reader.keyspaceNames().map { [UInt8]($0) } }
            try run.equal(try store.read(listed), expected, "the names")
            let reopened = try run.reopen(store)
            try run.equal(try reopened.read(listed), expected, "the names after opening again")
            try reopened.write(.buffered) { writer in
                _ = try writer.createKeyspace(named: "m")
                if let z = try writer.keyspace(named: "Z") { try writer.dropKeyspace(z) }
                let changed = (expected + [[UInt8]("m")]).filter { $0 != [UInt8]("Z") }.sorted { $0.lexicographicallyPrecedes($1) }
                try run.equal(try listed(writer), changed, "the names inside a write that changes them")
            }
        },
        SpecificationCase("keyspaces.odd-names", "Any text of 1 to 255 bytes is a name: quotes, zero bytes, case, look-alikes.") { run in
            let store = try run.open()
            let names = [
                "it's", "say \"so\"", "`tick`", "[bracket]", "semi;colon--", "a\0b", "a\0", "a", "\0", "A", " ", "a ", "a b", "sqlite_master",
                "main", "%s", "\\", "new\nline", "\u{E9}", "e\u{301}", "日本語", "👩‍👩‍👧", String(repeating: "x", count: 255),
                String(repeating: "é", count: 127) + "e", "keyspace", "data", "meta", "trove", "0",
            ]
            for (number, name) in names.enumerated() { try store.fill([Entry([1], .number(number))], in: name) }
            let reopened = try run.reopen(store)
            try reopened.read { reader in
                for (number, name) in names.enumerated() {
                    try run.equal(
                        try reader.entries(named: name) ?? [], [Entry([1], .number(number))], "the contents of the keyspace named '\(name)'")
                }
                let listed = Set(try reader.keyspaceNames().map { Array($0.utf8) })
                try run.equal(listed, Set(names.map { Array($0.utf8) }), "the bytes of the names")
            }
        },
        SpecificationCase("keyspaces.refused-names", "An empty name and names over 255 bytes are refused, and the transaction goes on.") { run in
            let store = try run.open()
            try store.writing { writer, data in
                for name in ["", String(repeating: "x", count: 256), String(repeating: "é", count: 128), String(repeating: "y", count: 100_000)] {
                    try run.fails(with: StorageError.invalidKeyspaceName, "creating a keyspace with a name of \(name.utf8.count) bytes") {
                        try writer.createKeyspace(named: name)
                    }
                }
                try writer.put([1], [1], in: data)
            }
            try run.equal(try store.read { try $0.keyspaceNames() }, ["data"], "the names")
            try run.equal(try store.entries() ?? [], [Entry([1], [1])], "the contents written after the refusals")
        },
    ]
}
