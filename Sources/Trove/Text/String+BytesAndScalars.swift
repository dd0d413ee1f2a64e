/// Texts as Trove's values are: two are one and the same when their UTF-8 bytes are.
///
/// Swift's `==` takes é as one scalar and as two for equal, by which two values of a store would become one.
extension String {
    /// Whether the texts have the same UTF-8 bytes.
    package func hasBytes(of other: String) -> Bool {
        let isEqual = utf8.withContiguousStorageIfAvailable { own in
            other.utf8.withContiguousStorageIfAvailable { own.count == $0.count && UnsafeRawBufferPointer(own).bytes.compare(to: UnsafeRawBufferPointer($0).bytes) == 0 }
        }
        return (isEqual ?? nil) ?? utf8.elementsEqual(other.utf8)
    }

    /// Whether the UTF-8 bytes come before those of another text.
    func precedesInBytes(_ other: String) -> Bool {
        let isBefore = utf8.withContiguousStorageIfAvailable { own in
            other.utf8.withContiguousStorageIfAvailable { UnsafeRawBufferPointer(own).bytes.compare(to: UnsafeRawBufferPointer($0).bytes) < 0 }
        }
        return (isBefore ?? nil) ?? utf8.lexicographicallyPrecedes(other.utf8)
    }

    /// The first eight UTF-8 bytes as a number in their order, with zeros behind a shorter text.
    var firstBytes: UInt64 { utf8.prefix(8).enumerated().reduce(0) { $0 | UInt64($1.element) << (56 - 8 * UInt64($1.offset)) } }

    /// Whether all characters are ASCII: no other text is equal to this one that is ASCII too.
    var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }

    /// Hashes the UTF-8 bytes, and that they end.
    func hashBytes(into hasher: inout Hasher) {
        if utf8.withContiguousStorageIfAvailable({ hasher.combine(bytes: UnsafeRawBufferPointer($0)) }) == nil {
            for byte in utf8 { hasher.combine(byte) }
        }
        hasher.combine(0xFF as UInt8)
    }
}

extension [String] {
    /// Whether the texts have the same UTF-8 bytes, each as the one in its place.
    func haveBytes(of others: [String]) -> Bool {
        count == others.count && zip(self, others).allSatisfy { $0.hasBytes(of: $1) }
    }
}

extension String {
    /// Calls `body` with the text's UTF-8.
    func withRawUTF8<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        if let result = try utf8.withContiguousStorageIfAvailable({ try body(UnsafeRawBufferPointer($0)) }) { return result }
        var copy = self
        return try copy.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether all bytes are those of ASCII characters.
    var isASCII: Bool {
        var offset = 0
        while offset <= count - 8 {
            if loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080 != 0 { return false }
            offset += 8
        }
        while offset < count {
            if self[offset] >= 0x80 { return false }
            offset += 1
        }
        return true
    }
}

/// Texts with quotes and separators in them, by scalars, as all readers of texts go by: in Swift's characters a mark that combines with
/// the quote before it, as U+0301, hides it.
extension String {
    /// The text between quotes, those inside of it doubled.
    func quoted(by quote: Unicode.Scalar) -> String {
        var result = String.UnicodeScalarView([quote])
        for scalar in unicodeScalars {
            if scalar == quote { result.append(quote) }
            result.append(scalar)
        }
        result.append(quote)
        return String(result)
    }

    /// What stands between the separators, the empty texts too.
    func parts(separatedBy separator: Unicode.Scalar) -> [String] {
        unicodeScalars.split(separator: separator, omittingEmptySubsequences: false).map { String($0) }
    }
}
