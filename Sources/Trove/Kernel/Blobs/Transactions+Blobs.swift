import Foundation

extension ReadTransaction {
    /// The bytes of a named blob; nil when there is none.
    ///
    /// - Throws: ``TroveError/corruptBlob(name:)``.
    public func blob(named name: String) throws -> Data? {
        if let data = try wholeBlob(named: name) { return data }
        guard let header = try blobHeader(named: name) else { return nil }
        return try blob(header, named: name, in: 0..<header.size)
    }

    /// A range of bytes of a named blob, for which only the chunks that contain it are read; nil when there is no such blob.
    ///
    /// - Parameter range: counts bytes from 0. What lies behind the blob's end is left out.
    /// - Throws: ``TroveError/corruptBlob(name:)``.
    public func blob(named name: String, in range: Range<Int>) throws -> Data? {
        if let data = try wholeBlob(named: name) {
            let part = range.clamped(to: 0..<data.count)
            return Data(data[data.startIndex + part.lowerBound..<data.startIndex + part.upperBound])
        }
        guard let header = try blobHeader(named: name) else { return nil }
        return try blob(header, named: name, in: range.clamped(to: 0..<header.size))
    }

    /// The size and the hash of a named blob; nil when there is none.
    ///
    /// - Complexity: O(1) in the size of a blob that lies in chunks; others are hashed, at most 64 KiB.
    /// - Throws: ``TroveError/corruptBlob(name:)``.
    public func blobInfo(named name: String) throws -> BlobInfo? {
        if let data = try wholeBlob(named: name) {
            return BlobInfo(name: name, size: data.count, sha256: Data(data.withUnsafeBytes { SHA256.digest($0) }))
        }
        return try blobHeader(named: name).map { BlobInfo(name: name, size: $0.size, sha256: $0.sha256) }
    }

    /// The names of all blobs, ascending.
    public func blobNames() throws -> [String] {
        let reader = try reader
        var names: [[UInt8]] = []
        for keyspaceName in [BlobSpace.keyspaceName, BlobSpace.headersName] {
            guard let keyspace = try reader.keyspace(named: keyspaceName) else { continue }
            try reader.scanKeys(in: keyspace) { key in
                names.append([UInt8](copying: key))
                return .next
            }
        }
        return names.sorted { $0.lexicographicallyPrecedes($1) }.map { String(decoding: $0, as: UTF8.self) }
    }

    // MARK: - Entries

    private func wholeBlob(named name: String) throws -> Data? {
        let reader = try reader
        guard StorageLimits.isKeySize(name.utf8.count), let keyspace = try reader.keyspace(named: BlobSpace.keyspaceName) else { return nil }
        return try reader.withValue(of: Array(name.utf8).span.bytes, in: keyspace) { try BlobSpace.decode($0, name: name) }
    }

    /// - Throws: ``TroveError/corruptBlob(name:)``.
    func blobHeader(named name: String) throws -> BlobHeader? {
        let reader = try reader
        guard StorageLimits.isKeySize(name.utf8.count), let keyspace = try reader.keyspace(named: BlobSpace.headersName) else { return nil }
        return try reader.withValue(of: Array(name.utf8).span.bytes, in: keyspace) { try BlobHeader.decode($0, name: name) }
    }

    /// A part of a blob in chunks.
    func blob(_ header: BlobHeader, named name: String, in range: Range<Int>) throws -> Data {
        var data = Data()
        try forEachChunk(of: header, named: name, in: range) { part in
            // Not by what a header promises.
            if data.isEmpty { data.reserveCapacity(min(range.count, 4 << 20)) }
            data.append(contentsOf: part)
        }
        return data
    }

    /// Calls `body` with what each chunk has of a range, in order.
    ///
    /// - Throws: ``TroveError/corruptBlob(name:)`` for a chunk that is missing, damaged or of another size.
    func forEachChunk(of header: BlobHeader, named name: String, in range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        let reader = try reader
        guard !range.isEmpty else { return }
        guard let keyspace = try reader.keyspace(named: BlobSpace.chunksName) else { throw TroveError.corruptBlob(name: name) }
        let (first, last) = (UInt32(range.lowerBound / header.chunkSize), UInt32((range.upperBound - 1) / header.chunkSize))
        let watch = watch
        var next = UInt64(first)
        let keys = KeyRange(from: BlobKey.chunk(first, of: header.number), upTo: BlobKey.chunk(last, of: header.number) + [0])
        try reader.scan(keys, in: keyspace, order: .ascending, expecting: Int(last - first) + 1) { key, value in
            try watch.look()
            guard let chunk = BlobKey.parts(key)?.chunk, UInt64(chunk) == next else { throw TroveError.corruptBlob(name: name) }
            try BlobSpace.withBody(of: value, seed: Checksum.hash(key), name: name) { bytes in
                guard bytes.count == header.size(ofChunk: chunk) else { throw TroveError.corruptBlob(name: name) }
                let start = Int(chunk) * header.chunkSize
                let part = range.clamped(to: start..<start + bytes.count)
                try body(UnsafeRawBufferPointer(rebasing: bytes[part.lowerBound - start..<part.upperBound - start]))
            }
            next += 1
            return .next
        }
        guard next == UInt64(last) + 1 else { throw TroveError.corruptBlob(name: name) }
    }

    /// Reads all chunks of a blob and compares them with its hash.
    ///
    /// - Throws: ``TroveError/corruptBlob(name:)``.
    func check(_ header: BlobHeader, named name: String) throws {
        var hash = SHA256()
        try forEachChunk(of: header, named: name, in: 0..<header.size) { hash.update($0) }
        guard Data(hash.finish()) == header.sha256 else { throw TroveError.corruptBlob(name: name) }
    }
}

extension WriteTransaction {
    /// Stores bytes under a name and replaces the blob there.
    ///
    /// What does not fit into memory is stored by ``ObjectStore/setBlob(from:named:durability:)``, over several transactions.
    ///
    /// - Parameter name: 1 to 511 bytes of UTF-8.
    /// - Throws: ``StorageError/emptyKey(_:)``, ``StorageError/keyTooLarge(_:)``.
    public func setBlob(_ data: Data, named name: String) throws {
        _ = try writer
        try checkName(name, of: "a blob")
        guard data.count > BlobSpace.chunkSize else { return try putWhole(data, named: name) }
        let number = UInt64.random(in: 0 ... .max)
        try putChunks(of: data, number: number, at: 0)
        try putHeader(
            BlobHeader(number: number, size: data.count, chunkSize: BlobSpace.chunkSize, sha256: Data(data.withUnsafeBytes { SHA256.digest($0) })), named: name)
    }

    /// Deletes a named blob; returns whether there was one.
    @discardableResult
    public func deleteBlob(named name: String) throws -> Bool {
        let writer = try writer
        guard StorageLimits.isKeySize(name.utf8.count) else { return false }
        if let keyspace = try writer.keyspace(named: BlobSpace.keyspaceName), try writer.delete(Array(name.utf8), in: keyspace) { return true }
        return try deleteLargeBlob(named: name)
    }

    /// Puts a blob of one entry in the place of what is under the name.
    func putWhole(_ data: Data, named name: String) throws {
        let writer = try writer
        try deleteLargeBlob(named: name)
        try writer.put(Array(name.utf8), BlobSpace.encode(data, name: name), in: writer.createKeyspace(named: BlobSpace.keyspaceName))
    }

    /// Puts a blob's header in the place of what is under the name. Its chunks are there.
    func putHeader(_ header: BlobHeader, named name: String) throws {
        let writer = try writer
        try deleteBlob(named: name)
        try writer.put(Array(name.utf8), header.encode(name: name), in: writer.createKeyspace(named: BlobSpace.headersName))
    }

    /// Stores bytes in chunks from a place on that a chunk begins at.
    func putChunks(of data: Data, number: UInt64, at offset: Int) throws {
        let writer = try writer
        let keyspace = try writer.createKeyspace(named: BlobSpace.chunksName)
        try data.withUnsafeBytes { bytes in
            for start in stride(from: 0, to: bytes.count, by: BlobSpace.chunkSize) {
                let key = BlobKey.chunk(UInt32((offset + start) / BlobSpace.chunkSize), of: number)
                let part = UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + BlobSpace.chunkSize, bytes.count)])
                try writer.put(key, Checksum.sealed(part, seed: Checksum.hash(key)), in: keyspace)
            }
        }
    }

    @discardableResult
    private func deleteLargeBlob(named name: String) throws -> Bool {
        let writer = try writer
        guard let headers = try writer.keyspace(named: BlobSpace.headersName) else { return false }
        let header: BlobHeader?
        do {
            header = try blobHeader(named: name)
        } catch TroveError.corruptBlob {
            _ = try writer.delete(Array(name.utf8), in: headers)
            try deleteChunksOfNoBlob()
            return true
        }
        guard let header else { return false }
        try deleteChunks(of: header.number)
        return try writer.delete(Array(name.utf8), in: headers)
    }

    func deleteChunks(of number: UInt64) throws {
        let writer = try writer
        if let chunks = try writer.keyspace(named: BlobSpace.chunksName) { _ = try writer.deleteRange(BlobKey.chunks(of: number), in: chunks) }
    }

    /// Removes chunks that nothing names, after a header was removed that did not tell its number. They stay while
    /// another header is damaged, whose they may be.
    private func deleteChunksOfNoBlob() throws {
        guard let known = try knownBlobNumbers() else { return }
        for number in try blobNumbers() where !known.contains(number) { try deleteChunks(of: number) }
    }
}

extension ReadTransaction {
    /// The numbers that headers and uploads name; nil when one of them cannot be read.
    func knownBlobNumbers() throws -> Set<UInt64>? {
        let reader = try reader
        var numbers: Set<UInt64> = []
        do {
            if let headers = try reader.keyspace(named: BlobSpace.headersName) {
                try reader.scan(in: headers) { key, value in
                    numbers.insert(try BlobHeader.decode(value, name: String(decoding: [UInt8](copying: key), as: UTF8.self)).number)
                    return .next
                }
            }
        } catch TroveError.corruptBlob {
            return nil
        }
        if let uploads = try reader.keyspace(named: BlobSpace.uploadsName) {
            try reader.scanKeys(in: uploads) { key in
                if let number = BlobKey.parts(key)?.number { numbers.insert(number) }
                return .next
            }
        }
        return numbers
    }

    /// The numbers that there are chunks of, each by one step of a cursor.
    fileprivate func blobNumbers() throws -> [UInt64] {
        let reader = try reader
        guard let keyspace = try reader.keyspace(named: BlobSpace.chunksName) else { return [] }
        var numbers: [UInt64] = []
        let cursor = try reader.cursor(in: keyspace)
        var isThere = try cursor.seekToFirst()
        while isThere {
            var number: UInt64?
            _ = try cursor.withEntry { key, _ in number = BlobKey.parts(key)?.number }
            // A key of another length is nobody's.
            guard let found = number else {
                isThere = try cursor.next()
                continue
            }
            numbers.append(found)
            guard let next = BlobKey.chunks(of: found).upper else { break }
            isThere = try cursor.seek(to: next)
        }
        return numbers
    }
}
