import TestSupport
import Trove

extension FaultOperation {
    private static func with(_ trial: FaultTrial, _ body: @escaping (ObjectStore) throws -> Void) throws -> Attempt {
        let store = try open(trial.backend)
        return { try body(store) }
    }

    /// Changes of objects, each of which is one transaction.
    static let changes: [FaultOperation] = [
        FaultOperation("save of a batch") { trial in
            try with(trial) { store in try store.save((8..<24).map { FaultSong.sample($0, plays: $0 * 100, album: $0 % 2) }) }
        },
        FaultOperation("save of one object") { trial in try with(trial) { try $0.save(FaultSong.sample(3, plays: 1_000, album: 1)) } },
        FaultOperation("transaction with savepoints") { trial in
            try with(trial) { store in
                try store.write { transaction in
                    try transaction.save(FaultSong.sample(30))
                    try transaction.savepoint { try transaction.save((31..<34).map { FaultSong.sample($0, album: 0) }) }
                    try transaction.savepoint {
                        try transaction.delete(FaultAlbum.self, id: 2)
                        try transaction.save(FaultSong.sample(40, album: 1))
                    }
                }
            }
        },
        FaultOperation("update by query") { trial in
            try with(trial) { store in
                try store.fetch(FaultSong.self).where { $0.artist == "artist 1" }.update {
                    $0.plays += 1_000_000 - $0.plays
                    $0.title = "Changed"
                    $0.album = Reference<FaultAlbum>(id: 0)
                }
            }
        },
        FaultOperation("delete by query") { trial in
            try with(trial) { store in try store.fetch(FaultSong.self).where { $0.tags.contains("tag 1") }.delete() }
        },
        FaultOperation("delete of all") { trial in try with(trial) { try $0.deleteAll(FaultSong.self) } },
        FaultOperation("cascading deletion") { trial in try with(trial) { try $0.delete(FaultAlbum.self, id: 1) } },
        FaultOperation("orphan removal") { trial in
            try with(trial) { store in try store.save(FaultAlbum(id: 0, name: "empty", songs: [])) }
        },
        FaultOperation("blob", state: { backend in
            let store = try ObjectStore(backend, durability: .relaxed)
            return try store.blobNames().map { "\($0): \(try store.blob(named: $0)?.count ?? -1)" }
        }) { trial in try with(trial) { try $0.setBlob(.init(repeating: 7, count: 200_000), named: "blob") } },
        FaultOperation("blob in chunks replaced", state: { backend in
            let store = try ObjectStore(backend, durability: .relaxed)
            return try store.blobNames().map { "\($0): \(try store.blobInfo(named: $0)?.sha256Text ?? "")" }
        }) { trial in
            try with(trial) { store in
                try store.write { transaction in
                    try transaction.setBlob(.init(repeating: 8, count: 100_000), named: "film")
                    try transaction.setBlob(.init(repeating: 9, count: 140_000), named: "film")
                }
            }
        },
        FaultOperation("queries and verification", commits: false) { trial in
            try with(trial) { store in
                _ = try store.fetch(FaultSong.self).where { $0.artist == "artist 1" && $0.year > 1951 }.sorted(by: \.plays).all()
                _ = try store.fetch(FaultSong.self).where { $0.title.hasWords("leaves") }.count()
                _ = try store.fetch(FaultSong.self).where { $0.album.name == "album 1" }.ids()
                let report = try store.verify()
                if !report.isSound, let problem = report.problems.first { throw problem.error }
            }
        },
    ]
}
