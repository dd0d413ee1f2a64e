/// A record with encrypted fields, as it is stored: like any other, but that the sealed fields are empty in it, and one more variable-width value, the last,
/// has their bytes, sealed one by one. `docs/format.md` draws it.
///
/// Above the storage all records are plain: ``SealingReader`` opens them and ``SealingWriter`` seals them.
struct SealedRecord {
    /// The sealed fields: their positions in the layout, ascending, and what was sealed.
    let fields: [(position: Int, bytes: UnsafeRawBufferPointer)]
    private let record: UnsafeRawBufferPointer
    private let key: UnsafeRawBufferPointer
    private let layout: RecordLayout
    private let isWide: Bool
    private let hasLongKey: Bool

    /// Whether a record says that it has sealed fields.
    static func isSealed(_ record: UnsafeRawBufferPointer) -> Bool {
        record.count >= RecordLayout.headerSize && record[0] == RecordFormat.version && RecordFormat.Flags(rawValue: record[1]).contains(.sealedFields)
    }

    /// Takes a sound record apart. It must not outlive the bytes.
    ///
    /// - Throws: `DecodingFault.damaged`.
    init(_ record: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, layout: RecordLayout) throws {
        let flags = try RecordDecoder.header(of: record).flags
        (self.record, self.key, self.layout) = (record, key, layout)
        (isWide, hasLongKey) = (flags.contains(.wideEnds), flags.contains(.longKey))
        let values = VariableValues(record, from: layout.endsStart, count: layout.variableCount + (hasLongKey ? 1 : 0) + 1, isWide: isWide)
        guard let list = try values?.last() else { throw Self.damaged }
        var fields: [(position: Int, bytes: UnsafeRawBufferPointer)] = []
        var offset = 0
        while offset < list.count {
            guard list.count - offset >= 6 else { throw Self.damaged }
            let position = Int(UInt16(littleEndian: list.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
            let count = Int(UInt32(littleEndian: list.loadUnaligned(fromByteOffset: offset + 2, as: UInt32.self)))
            offset += 6
            guard position < layout.fields.count, position > fields.last?.position ?? -1, count <= list.count - offset else { throw Self.damaged }
            fields.append((position, UnsafeRawBufferPointer(rebasing: list[offset..<offset + count])))
            offset += count
        }
        self.fields = fields
    }

    /// Whether all sealed fields of a record are some that pass.
    ///
    /// - Throws: `DecodingFault.damaged`.
    static func seals(only passes: (Int) -> Bool, in record: RecordView) throws -> Bool {
        let list = try record.sealedList()
        var offset = 0
        while offset < list.count {
            guard list.count - offset >= 6 else { throw damaged }
            if !passes(Int(UInt16(littleEndian: list.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))) { return false }
            offset += 6 + Int(UInt32(littleEndian: list.loadUnaligned(fromByteOffset: offset + 2, as: UInt32.self)))
        }
        return true
    }

    private static var damaged: DecodingFault { .damaged("its sealed fields are not in order") }

    // MARK: Opening

    /// The plain record, its checksum included.
    ///
    /// - Throws: ``FieldSealingFault``, `DecodingFault.damaged`.
    func opened(with sealer: any FieldSealer) throws -> [UInt8] {
        var head = [UInt8](record[..<layout.endsStart])
        var replaced: [Int: [UInt8]] = [:]
        let places = layout.sealingPlaces
        for (position, sealed) in fields {
            let field = layout.fields[position]
            var plain: [UInt8] = []
            let place = places[position] + key
            try sealer.open(sealed.bytes, in: place.span.bytes, appendingTo: &plain)
            let bitCount = field.type.optionalDepth
            let bitBytes = (bitCount + 7) / 8
            guard plain.count >= bitBytes else { throw Self.damaged }
            for bit in 0..<bitCount where plain[bit / 8] >> UInt8(bit & 7) & 1 == 1 {
                let number = field.nilBit + bit
                head[RecordLayout.headerSize + number / 8] |= 1 << UInt8(number & 7)
            }
            let value = plain[bitBytes...]
            if let size = field.type.fixedSize {
                guard value.count == size else { throw Self.damaged }
                head.replaceSubrange(field.place..<field.place + size, with: value)
            } else {
                replaced[field.place] = [UInt8](value)
            }
        }
        let count = layout.variableCount + (hasLongKey ? 1 : 0)
        guard let values = VariableValues(record, from: layout.endsStart, count: count + 1, isWide: isWide) else { throw Self.damaged }
        var assembly = RecordAssembly(head)
        for number in 0..<count {
            if let value = replaced[number] {
                assembly.append(value.span.bytes)
            } else {
                assembly.append(try values[number].bytes)
            }
        }
        return assembly.record(flags: hasLongKey ? .longKey : [], key: key)
    }

    // MARK: Sealing

    /// The stored form of a plain record, with the fields at these positions sealed.
    ///
    /// - Throws: `DecodingFault.damaged`; what the sealer throws.
    static func sealed(
        _ record: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, layout: RecordLayout, _ positions: [Int], with sealer: any FieldSealer
    ) throws -> [UInt8] {
        let view = try RecordView(trusting: record, key: key, layout: layout)
        var head = [UInt8](record[..<layout.endsStart])
        var list: [UInt8] = []
        var emptied: Set<Int> = []
        let places = layout.sealingPlaces
        for position in positions {
            let field = layout.fields[position]
            let bitCount = field.type.optionalDepth
            var plain = [UInt8](repeating: 0, count: (bitCount + 7) / 8)
            for bit in 0..<bitCount {
                let number = field.nilBit + bit
                let (byte, mask) = (RecordLayout.headerSize + number / 8, UInt8(1) << UInt8(number & 7))
                if head[byte] & mask != 0 { plain[bit / 8] |= 1 << UInt8(bit & 7) }
                head[byte] &= ~mask
            }
            if let size = field.type.fixedSize {
                plain += head[field.place..<field.place + size]
                for offset in field.place..<field.place + size { head[offset] = 0 }
            } else {
                plain += try view.variable(field.place)
                emptied.insert(field.place)
            }
            withUnsafeBytes(of: UInt16(position).littleEndian) { list += $0 }
            let countOffset = list.count
            list += [0, 0, 0, 0]
            let place = places[position] + key
            try sealer.seal(plain.span.bytes, in: place.span.bytes, appendingTo: &list)
            withUnsafeBytes(of: UInt32(list.count - countOffset - 4).littleEndian) { list.replaceSubrange(countOffset..<countOffset + 4, with: $0) }
        }
        var assembly = RecordAssembly(head)
        for number in 0..<layout.variableCount + (view.hasLongKey ? 1 : 0) {
            if emptied.contains(number) {
                assembly.append([UInt8]().span.bytes)
            } else {
                assembly.append(try view.variable(number).bytes)
            }
        }
        assembly.append(list.span.bytes)
        return assembly.record(flags: view.hasLongKey ? [.longKey, .sealedFields] : .sealedFields, key: key)
    }
}

/// The variable-width values of a record.
private struct VariableValues {
    private let record: UnsafeRawBufferPointer
    private let endsStart, count, width, start: Int

    /// nil when the record is too short to have so many.
    init?(_ record: UnsafeRawBufferPointer, from endsStart: Int, count: Int, isWide: Bool) {
        (self.record, self.endsStart, self.count, width) = (record, endsStart, count, isWide ? 4 : 2)
        start = endsStart + count * width
        if record.count < start { return nil }
    }

    private func end(_ number: Int) -> Int {
        let offset = endsStart + number * width
        return width == 4
            ? Int(UInt32(littleEndian: record.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
            : Int(UInt16(littleEndian: record.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
    }

    subscript(number: Int) -> UnsafeRawBufferPointer {
        get throws {
            let (from, to) = (number == 0 ? 0 : end(number - 1), end(number))
            guard from <= to, to <= record.count - start else { throw DecodingFault.damaged("its table of ends is not in order") }
            return UnsafeRawBufferPointer(rebasing: record[start + from..<start + to])
        }
    }

    func last() throws -> UnsafeRawBufferPointer { try self[count - 1] }
}

/// A record being put together of its fixed part and its variable-width values.
private struct RecordAssembly {
    private let head: [UInt8]
    private var ends: [Int] = []
    private var values: [UInt8] = []

    /// - Parameter head: header, nil bitmap and fixed-width values.
    init(_ head: [UInt8]) {
        self.head = head
    }

    mutating func append(_ value: RawSpan) {
        value.withUnsafeBytes { values += $0 }
        ends.append(values.count)
    }

    /// The record, with ends as wide as its values ask, and its checksum.
    func record(flags: RecordFormat.Flags, key: UnsafeRawBufferPointer) -> [UInt8] {
        let isWide = values.count > Int(UInt16.max)
        var record = head
        record.reserveCapacity(head.count + ends.count * 4 + values.count)
        for end in ends {
            if isWide {
                withUnsafeBytes(of: UInt32(truncatingIfNeeded: end).littleEndian) { record += $0 }
            } else {
                withUnsafeBytes(of: UInt16(truncatingIfNeeded: end).littleEndian) { record += $0 }
            }
        }
        record += values
        record[1] = flags.union(isWide ? .wideEnds : []).rawValue
        let checksum = record.withUnsafeBytes { RecordFormat.checksum(of: $0, key: key) }
        withUnsafeBytes(of: checksum.littleEndian) { record.replaceSubrange(4..<8, with: $0) }
        return record
    }
}
