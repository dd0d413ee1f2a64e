import TroveBackendKit
import TroveStorage

/// Reads the bytes that ``StoreEncoding`` describes. Any bytes end in contents or in an error.
struct StoreDecoding {
    private let file: StoreFile
    private let bytes: [UInt8]
    private var offset = StoreEncoding.headerSize

    static func contents(of bytes: [UInt8], in file: StoreFile) throws -> Contents {
        var decoding = StoreDecoding(file: file, bytes: bytes)
        try decoding.checkHeader()
        return try decoding.contents()
    }

    private init(file: StoreFile, bytes: [UInt8]) {
        self.file = file
        self.bytes = bytes
    }

    private func checkHeader() throws {
        guard bytes.starts(with: StoreEncoding.magic) else {
            throw StorageError.notAStore(details("the file is not a store of this engine; name another one"))
        }
        guard bytes.count >= StoreEncoding.headerSize else { throw damage("it ends inside its header") }
        let version = number(at: 8, as: UInt32.self)
        guard version <= StoreEncoding.version else {
            throw StorageError.newerFormat(
                details("the file has format \(version), this version reads up to \(StoreEncoding.version); use a newer one"))
        }
        guard version == StoreEncoding.version else { throw damage("there is no format \(version)") }
        guard number(at: 12, as: UInt64.self) == StoreEncoding.checksum(of: bytes) else { throw damage("its checksum is wrong") }
    }

    private mutating func contents() throws -> Contents {
        var contents = Contents()
        var last: [UInt8] = []
        for number in 0..<(try next()) {
            let name = try part()
            guard last.span.bytes.precedes(name.span.bytes), String(validating: name, as: UTF8.self) != nil else {
                throw damage("a name of a keyspace is wrong")
            }
            last = name
            var entries = SortedArray()
            for _ in 0..<(try next()) {
                let key = try part()
                guard !key.isEmpty, entries.append(key, try part()) else { throw damage("its keys are out of order") }
            }
            contents.add(entries, named: name, number: UInt64(number))
        }
        guard offset == bytes.count else { throw damage("there is something behind its end") }
        return contents
    }

    private mutating func next() throws -> Int {
        guard bytes.count - offset >= 4 else { throw damage("it is cut off") }
        defer { offset += 4 }
        return Int(number(at: offset, as: UInt32.self))
    }

    private mutating func part() throws -> [UInt8] {
        let count = try next()
        guard bytes.count - offset >= count else { throw damage("it is cut off") }
        defer { offset += count }
        return Array(bytes[offset..<offset + count])
    }

    private func number<Number: FixedWidthInteger>(at offset: Int, as type: Number.Type) -> Number {
        bytes.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: type)) }
    }

    private func damage(_ what: String) -> StorageError {
        .corrupt(details("the file is damaged: \(what); restore a copy"))
    }

    private func details(_ message: String) -> StorageError.Details {
        StorageError.Details(engine: file.engine, path: file.path, message: message)
    }
}
