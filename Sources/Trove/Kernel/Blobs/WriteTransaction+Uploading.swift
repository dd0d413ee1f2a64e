import Foundation

extension BlobUpload {
    /// The bytes of one transaction: some dozens of chunks, so that other writers wait for some hundredths of a second.
    static let batchSize = 64 * BlobSpace.chunkSize

    /// How long an upload may rest before another one takes it for that of a process that is gone.
    static let patience: TimeInterval = 3600
}

/// Blobs that come in parts, over several transactions. Nobody sees them before the last one.
extension WriteTransaction {
    /// Stores a part of whole chunks, and returns what has come by now.
    ///
    /// - Throws: ``TroveError/uploadGivenUp(name:)``.
    func store(_ data: Data, of upload: BlobUpload) throws -> BlobUpload {
        let writer = try writer
        let uploads = try writer.createKeyspace(named: BlobSpace.uploadsName)
        if upload.size == 0 {
            try checkName(upload.name, of: "a blob")
            try deleteUploads { $0.date.distance(to: upload.date) > BlobUpload.patience }
        } else {
            try checkIsThere(upload)
        }
        try putChunks(of: data, number: upload.number, at: upload.size)
        var upload = upload
        upload.size += data.count
        upload.date = .now
        try writer.put(BlobKey.upload(upload.number), upload.encode(), in: uploads)
        return upload
    }

    /// Stores the last part, and gives the blob its name, in the place of what was under it.
    ///
    /// - Throws: ``TroveError/uploadGivenUp(name:)``.
    func finish(_ upload: BlobUpload, with data: Data, _ sha256: [UInt8]) throws -> BlobInfo {
        let size = upload.size + data.count
        if upload.size > 0 { try checkIsThere(upload) } else { try checkName(upload.name, of: "a blob") }
        guard upload.size > 0 || size > BlobSpace.chunkSize else {
            try putWhole(data, named: upload.name)
            return BlobInfo(name: upload.name, size: size, sha256: Data(sha256))
        }
        try putChunks(of: data, number: upload.number, at: upload.size)
        try putHeader(BlobHeader(number: upload.number, size: size, chunkSize: BlobSpace.chunkSize, sha256: Data(sha256)), named: upload.name)
        if let uploads = try writer.keyspace(named: BlobSpace.uploadsName) { _ = try writer.delete(BlobKey.upload(upload.number), in: uploads) }
        return BlobInfo(name: upload.name, size: size, sha256: Data(sha256))
    }

    /// Removes what uploads have stored that fulfil a condition, and those that cannot be read.
    func deleteUploads(where isGone: (BlobUpload) -> Bool) throws {
        let writer = try writer
        guard let uploads = try writer.keyspace(named: BlobSpace.uploadsName) else { return }
        var gone: [[UInt8]] = []
        try writer.scan(in: uploads) { key, value in
            guard let number = BlobKey.parts(key)?.number else {
                gone.append([UInt8](copying: key))
                return .next
            }
            do {
                if isGone(try BlobUpload.decode(value, number: number)) { gone.append([UInt8](copying: key)) }
            } catch TroveError.corruptBlob {
                gone.append([UInt8](copying: key))
            }
            return .next
        }
        for key in gone {
            if let number = BlobKey.parts(key.span.bytes)?.number { try deleteChunks(of: number) }
            _ = try writer.delete(key, in: uploads)
        }
    }

    private func checkIsThere(_ upload: BlobUpload) throws {
        guard let uploads = try writer.keyspace(named: BlobSpace.uploadsName), try writer.contains(BlobKey.upload(upload.number), in: uploads) else {
            throw TroveError.uploadGivenUp(name: upload.name)
        }
    }
}

/// Parts of a blob as a transfer has them, line by line.
extension WriteTransaction {
    /// What an earlier line left of a blob, if that ends where the next part begins.
    func transferredUpload(of name: String, endingAt offset: Int) throws -> BlobUpload? {
        let writer = try writer
        guard let uploads = try writer.keyspace(named: BlobSpace.uploadsName) else { return nil }
        var found: BlobUpload?
        try writer.scan(in: uploads) { key, value in
            guard let number = BlobKey.parts(key)?.number else { return .next }
            do {
                let upload = try BlobUpload.decode(value, number: number)
                if upload.source == .transfer, upload.name.hasBytes(of: name), upload.size == offset { found = upload }
            } catch TroveError.corruptBlob {
                // One that cannot be read is another's, or is missing; the next upload that begins removes it.
            }
            return found == nil ? .next : .stop
        }
        return found
    }

    /// Stores a part of a blob of which a transfer's earlier lines had those before it.
    ///
    /// - Parameter total: the size of the whole blob.
    func storeTransferred(_ data: Data, of name: String, at offset: Int, total: Int) throws {
        var upload = BlobUpload(number: .random(in: 0 ... .max), name: name, source: .transfer, date: .now)
        if offset == 0 {
            // A transfer that begins again.
            try deleteUploads { $0.source == .transfer && $0.name.hasBytes(of: name) }
        } else {
            guard let earlier = try transferredUpload(of: name, endingAt: offset) else { throw TroveError.uploadGivenUp(name: name) }
            upload = earlier
        }
        guard offset + data.count == total else {
            _ = try store(data, of: upload)
            return
        }
        var hash = SHA256()
        if offset > 0 {
            // The lines before may be those of another run of the program, so their hash is taken from what is stored.
            let stored = BlobHeader(number: upload.number, size: offset, chunkSize: BlobSpace.chunkSize, sha256: Data(count: SHA256.size))
            try forEachChunk(of: stored, named: name, in: 0..<offset) { hash.update($0) }
        }
        data.withUnsafeBytes { hash.update($0) }
        _ = try finish(upload, with: data, hash.finish())
    }
}
