extension JSONParser {
    /// The text whose first quote has been passed, as UTF-8 without escapes; valid until the next text is read.
    mutating func text() throws(JSONFault) -> UnsafeRawBufferPointer {
        let start = position
        var isASCII = true
        skipPlainWords()
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") {
                let text = UnsafeRawBufferPointer(rebasing: bytes[start..<position])
                if !isASCII, let place = UTF8Check.firstFault(in: text) { throw fault("the text is not UTF-8", at: start + place) }
                position += 1
                return text
            }
            if byte == UInt8(ascii: "\\") { return try escapedText(from: start) }
            guard byte >= 0x20 else { throw controlCharacter(byte) }
            if byte >= 0x80 { isASCII = false }
            position &+= 1
        }
        throw fault("the text that begins here does not end", at: start - 1)
    }

    /// Passes eight bytes at a time, as long as all of them are ASCII that stands for itself.
    @inline(__always)
    private mutating func skipPlainWords() {
        let high: UInt64 = 0x8080_8080_8080_8080
        let low: UInt64 = 0x0101_0101_0101_0101
        while position &+ 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            let quotes = word ^ low &* UInt64(UInt8(ascii: "\""))
            let escapes = word ^ low &* UInt64(UInt8(ascii: "\\"))
            // The highest bit of a byte that is zero after the exclusive or, or below a space, or not ASCII; of those
            // above such a one too, which does not matter.
            let special = (quotes &- low) & ~quotes | (escapes &- low) & ~escapes | (word &- low &* 0x20) & ~word | word
            if special & high != 0 { return }
            position &+= 8
        }
    }

    private func controlCharacter(_ byte: UInt8) -> JSONFault {
        fault("in a text the byte \(byte) is written as \\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))")
    }

    private mutating func escapedText(from start: Int) throws(JSONFault) -> UnsafeRawBufferPointer {
        position = start
        unescaped.count = 0
        var runStart = start
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") {
                try appendRun(from: runStart)
                position += 1
                return UnsafeRawBufferPointer(start: unescaped.base, count: unescaped.count)
            }
            guard byte >= 0x20 else { throw controlCharacter(byte) }
            if byte == UInt8(ascii: "\\") {
                try appendRun(from: runStart)
                try escape()
                runStart = position
            } else {
                position &+= 1
            }
        }
        throw fault("the text that begins here does not end", at: start - 1)
    }

    /// Appends what stands between escapes.
    private mutating func appendRun(from start: Int) throws(JSONFault) {
        let run = UnsafeRawBufferPointer(rebasing: bytes[start..<position])
        if let place = UTF8Check.firstFault(in: run) { throw fault("the text is not UTF-8", at: start + place) }
        unescaped.append(run)
    }

    private mutating func escape() throws(JSONFault) {
        let start = position
        guard position + 1 < bytes.count else { throw fault("the escape does not end") }
        position += 2
        switch bytes[start + 1] {
        case UInt8(ascii: "\""): unescaped.append(UInt8(ascii: "\""))
        case UInt8(ascii: "\\"): unescaped.append(UInt8(ascii: "\\"))
        case UInt8(ascii: "/"): unescaped.append(UInt8(ascii: "/"))
        case UInt8(ascii: "b"): unescaped.append(0x08 as UInt8)
        case UInt8(ascii: "f"): unescaped.append(0x0C as UInt8)
        case UInt8(ascii: "n"): unescaped.append(0x0A as UInt8)
        case UInt8(ascii: "r"): unescaped.append(0x0D as UInt8)
        case UInt8(ascii: "t"): unescaped.append(0x09 as UInt8)
        case UInt8(ascii: "u"): try unicodeEscape(at: start)
        default: throw fault(#"after \ comes one of " \ / b f n r t u"#, at: start)
        }
    }

    private mutating func unicodeEscape(at start: Int) throws(JSONFault) {
        var value = try hexDigits(at: start)
        if value >= 0xD800, value < 0xDC00 {
            guard position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"), bytes[position + 1] == UInt8(ascii: "u") else {
                throw fault("the first half of a surrogate pair stands alone", at: start)
            }
            position += 2
            let low = try hexDigits(at: position - 2)
            guard low >= 0xDC00, low < 0xE000 else { throw fault("the first half of a surrogate pair stands alone", at: start) }
            value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(value) else { throw fault("the second half of a surrogate pair stands alone", at: start) }
        if let units = UTF8.encode(scalar) { for unit in units { unescaped.append(unit) } }
    }

    private mutating func hexDigits(at start: Int) throws(JSONFault) -> UInt32 {
        guard position + 4 <= bytes.count else { throw fault("after \\u come four hexadecimal digits", at: start) }
        var value: UInt32 = 0
        for byte in bytes[position..<position + 4] {
            guard let digit = Hexadecimal.value(of: byte) else { throw fault("after \\u come four hexadecimal digits", at: start) }
            value = value << 4 | UInt32(digit)
        }
        position += 4
        return value
    }
}

/// Whether bytes are UTF-8.
enum UTF8Check {
    /// The offset of the first byte that does not belong to a whole scalar; nil when all do.
    static func firstFault(in bytes: UnsafeRawBufferPointer) -> Int? {
        var position = 0
        while position < bytes.count {
            let byte = bytes[position]
            if byte < 0x80 {
                position &+= 1
                continue
            }
            let (size, low, high): (Int, UInt8, UInt8)
            switch byte {
            case 0xC2...0xDF: (size, low, high) = (2, 0x80, 0xBF)
            case 0xE0: (size, low, high) = (3, 0xA0, 0xBF)
            case 0xED: (size, low, high) = (3, 0x80, 0x9F)  // Above are surrogates.
            case 0xE1...0xEF: (size, low, high) = (3, 0x80, 0xBF)
            case 0xF0: (size, low, high) = (4, 0x90, 0xBF)
            case 0xF1...0xF3: (size, low, high) = (4, 0x80, 0xBF)
            case 0xF4: (size, low, high) = (4, 0x80, 0x8F)
            default: return position
            }
            guard position + size <= bytes.count, bytes[position + 1] >= low, bytes[position + 1] <= high,
                bytes[(position + 2)..<(position + size)].allSatisfy({ $0 & 0xC0 == 0x80 })
            else { return position }
            position += size
        }
        return nil
    }
}
