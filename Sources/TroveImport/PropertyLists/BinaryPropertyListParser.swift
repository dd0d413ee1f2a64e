import Foundation
import Trove

/// Reads a binary property list: objects one after the other, a table of their places, and at the end 32 bytes that tell where the table is.
///
/// A container has the numbers of its members. Nothing that the file says is believed: each place and number is checked, and all objects together take no more
/// room than there is, so that a file cannot say one large object many times.
struct BinaryPropertyListParser {
    private static let headerSize = 8
    private static let trailerSize = 32

    private let bytes: UnsafeRawBufferPointer
    private let offsetSize: Int
    private let referenceSize: Int
    private let count: Int
    private let root: Int
    private let tableOffset: Int

    /// - Parameter bytes: the file, which must stay as long as the parser.
    init(_ bytes: UnsafeRawBufferPointer) throws {
        self.bytes = bytes
        guard bytes.count > Self.headerSize + Self.trailerSize, bytes[7] == UInt8(ascii: "0") || bytes[7] == UInt8(ascii: "1"), bytes[6] == UInt8(ascii: "0")
        else {
            throw PropertyListFault(offset: 0, reason: "it is too short for a binary property list, or of another version than 0")
        }
        let trailer = bytes.count - Self.trailerSize
        (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
        func number(_ place: Int) -> Int? { Int(exactly: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: trailer + place, as: UInt64.self))) }
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), let count = number(8), let root = number(16), let tableOffset = number(24),
            count > 0, root < count,
            tableOffset > Self.headerSize, tableOffset < trailer, count <= (trailer - tableOffset) / offsetSize
        else { throw PropertyListFault(offset: trailer, reason: "the end does not tell where the values are") }
        (self.count, self.root, self.tableOffset) = (count, root, tableOffset)
    }

    func list() throws -> PropertyList {
        var items: [PropertyList.Item] = []
        var offsets: [Int] = []
        items.reserveCapacity(count)
        offsets.reserveCapacity(count)
        var room = tableOffset - Self.headerSize
        for number in 0..<count {
            let place = tableOffset + number * offsetSize
            guard let offset = integer(place, offsetSize), offset >= Self.headerSize, offset < tableOffset else {
                throw PropertyListFault(offset: place, reason: "a value is said to be where none can be")
            }
            let (item, end) = try item(at: offset)
            room -= end - offset
            if room < 0 { throw PropertyListFault(offset: offset, reason: "the values take more room than there is; they lie one over the other") }
            items.append(item)
            offsets.append(offset)
        }
        return PropertyList(items: items, offsets: offsets, root: root, size: bytes.count)
    }

    /// The big-endian integer of some bytes, which must be inside of the file; nil when it is too large.
    private func integer(_ place: Int, _ size: Int) -> Int? {
        var value: UInt64 = 0
        for byte in bytes[place..<place + size] { value = value << 8 | UInt64(byte) }
        return Int(exactly: value)
    }

    private func item(at offset: Int) throws -> (PropertyList.Item, end: Int) {
        let marker = bytes[offset]
        let low = Int(marker & 0x0F)
        switch (marker >> 4, low) {
        case (0x0, 0x0), (0x0, 0xF): return (.value(.null), offset + 1)
        case (0x0, 0x8): return (.value(.bool(false)), offset + 1)
        case (0x0, 0x9): return (.value(.bool(true)), offset + 1)
        case (0x1, 0...4): return try scalar(offset, 1 << low) { try integerValue($0, offset) }
        case (0x2, 2): return try scalar(offset, 4) { .double(Double(Float(bitPattern: UInt32(bigEndian: $0.loadUnaligned(as: UInt32.self))))) }
        case (0x2, 3): return try scalar(offset, 8) { .double(Self.double($0)) }
        case (0x3, 3): return try scalar(offset, 8) { .date(Date(timeIntervalSinceReferenceDate: Self.double($0))) }
        case (0x4, _): return try counted(offset, 1) { .data(Data($0)) }
        // One that is not ASCII, as some programs write it, is UTF-8.
        case (0x5, _), (0x7, _): return try counted(offset, 1) { String(sourceUTF8: $0).map { .string($0) } ?? .data(Data($0)) }
        case (0x6, _): return try counted(offset, 2) { Self.text(utf16: $0).map { .string($0) } ?? .data(Data($0)) }
        case (0x8, _):
            let size = low + 1
            guard size <= 8, offset + 1 + size <= tableOffset, let number = integer(offset + 1, size) else {
                throw PropertyListFault(offset: offset, reason: "a reference has no number")
            }
            return (.reference(number), offset + 1 + size)
        // Sets are arrays without an order.
        case (0xA, _), (0xB, _), (0xC, _):
            let (count, start) = try self.count(offset)
            let (members, end) = try numbers(offset, start, count)
            return (.array(members), end)
        case (0xD, _):
            let (count, start) = try self.count(offset)
            let (keys, middle) = try numbers(offset, start, count)
            let (values, end) = try numbers(offset, middle, count)
            return (.dictionary(zip(keys, values).map { ($0, $1) }), end)
        default: throw PropertyListFault(offset: offset, reason: "\(marker) begins no value")
        }
    }

    private func scalar(_ offset: Int, _ size: Int, _ value: (UnsafeRawBufferPointer) throws -> StoredValue) throws -> (PropertyList.Item, end: Int) {
        let end = offset + 1 + size
        guard end <= tableOffset else { throw beyond(offset) }
        return (.value(try value(UnsafeRawBufferPointer(rebasing: bytes[offset + 1..<end]))), end)
    }

    /// A value whose size is told before it, in units of some bytes.
    private func counted(_ offset: Int, _ unit: Int, _ value: (UnsafeRawBufferPointer) -> StoredValue) throws -> (PropertyList.Item, end: Int) {
        let (count, start) = try count(offset)
        guard count <= (tableOffset - start) / unit else { throw beyond(offset) }
        let end = start + count * unit
        return (.value(value(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))), end)
    }

    /// How many units or members a value has, and where they begin: the number is in the marker, or when that has no room for it in an integer behind.
    private func count(_ offset: Int) throws -> (count: Int, start: Int) {
        let low = Int(bytes[offset] & 0x0F)
        if low < 0x0F { return (low, offset + 1) }
        guard offset + 1 < tableOffset, bytes[offset + 1] >> 4 == 0x1, bytes[offset + 1] & 0x0F <= 3 else {
            throw PropertyListFault(offset: offset, reason: "the value does not tell its size")
        }
        let size = 1 << Int(bytes[offset + 1] & 0x0F)
        guard offset + 2 + size <= tableOffset, let count = integer(offset + 2, size) else { throw beyond(offset) }
        return (count, offset + 2 + size)
    }

    private func numbers(_ offset: Int, _ start: Int, _ count: Int) throws -> ([Int], end: Int) {
        guard count <= (tableOffset - start) / referenceSize else { throw beyond(offset) }
        let numbers = try (0..<count).map { position in
            guard let number = integer(start + position * referenceSize, referenceSize), number < self.count else {
                throw PropertyListFault(offset: start + position * referenceSize, reason: "a member is a value that there is not")
            }
            return number
        }
        return (numbers, start + count * referenceSize)
    }

    private func beyond(_ offset: Int) -> PropertyListFault { PropertyListFault(offset: offset, reason: "the value goes on beyond the end of the values") }

    // MARK: Values

    /// Integers of one, two and four bytes have no sign; those of sixteen are there for what eight with a sign cannot hold.
    private func integerValue(_ bytes: UnsafeRawBufferPointer, _ offset: Int) throws -> StoredValue {
        switch bytes.count {
        case 8: return .int(Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)))
        case 16:
            let value = Int128(bigEndian: bytes.loadUnaligned(as: Int128.self))
            return Int64(exactly: value).map { .int($0) } ?? UInt64(exactly: value).map { .uint($0) } ?? .int128(value)
        default: return .int(bytes.reduce(0) { $0 << 8 | Int64($1) })
        }
    }

    private static func double(_ bytes: UnsafeRawBufferPointer) -> Double { Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))) }

    private static func text(utf16 bytes: UnsafeRawBufferPointer) -> String? {
        let units = stride(from: 0, to: bytes.count, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        return String(validating: units, as: UTF16.self)
    }
}
