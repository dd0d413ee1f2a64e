import Foundation

/// Unpacks what was packed with DEFLATE (RFC 1951), without a header: Apple's `COMPRESSION_ZLIB`.
struct Deflate {
    struct Fault: Error {
        let reason: String
    }

    /// The unpacked bytes.
    ///
    /// - Throws: ``Fault`` when the bytes are not packed so, or are more than `limit` bytes unpacked.
    static func unpacked(_ data: Data, limit: Int) throws(Fault) -> Data {
        var deflate = Deflate(input: [UInt8](data), limit: limit)
        try deflate.unpack()
        return Data(deflate.output)
    }

    private let input: [UInt8]
    private let limit: Int
    private var output: [UInt8] = []
    private var place = 0
    /// Bits that were read and are not used yet, the next one lowest.
    private var bits: UInt32 = 0
    private var bitCount = 0

    private init(input: [UInt8], limit: Int) {
        self.input = input
        self.limit = limit
    }

    private mutating func unpack() throws(Fault) {
        var isLast = false
        while !isLast {
            isLast = try take(1) == 1
            switch try take(2) {
            case 0: try copyStored()
            case 1: try unpackBlock(Self.fixedLiterals, Self.fixedDistances)
            case 2:
                let codes = try readCodes()
                try unpackBlock(codes.literals, codes.distances)
            default: throw Fault(reason: "a block has a kind that there is not")
            }
        }
    }

    /// The next bits as a number, the first one lowest.
    private mutating func take(_ count: Int) throws(Fault) -> Int {
        while bitCount < count {
            guard place < input.count else { throw Fault(reason: "it ends inside of a block") }
            bits |= UInt32(input[place]) << UInt32(bitCount)
            place += 1
            bitCount += 8
        }
        let value = bits & (1 << UInt32(count) - 1)
        bits >>= UInt32(count)
        bitCount -= count
        return Int(value)
    }

    private func checkRoom(_ count: Int) throws(Fault) {
        guard count <= limit - output.count else { throw Fault(reason: "it is more than \(limit) bytes unpacked") }
    }

    private mutating func copyStored() throws(Fault) {
        (bits, bitCount) = (0, 0)
        guard place + 4 <= input.count else { throw Fault(reason: "it ends inside of a block") }
        let count = Int(input[place]) | Int(input[place + 1]) << 8
        guard count == ~(Int(input[place + 2]) | Int(input[place + 3]) << 8) & 0xFFFF else { throw Fault(reason: "the size of a block is damaged") }
        place += 4
        guard place + count <= input.count else { throw Fault(reason: "it ends inside of a block") }
        try checkRoom(count)
        output.append(contentsOf: input[place..<place + count])
        place += count
    }

    // MARK: Codes

    /// A Huffman code: how many symbols have each length, and the symbols in the order of their codes.
    private struct Code {
        private(set) var counts = [Int](repeating: 0, count: 16)
        private(set) var symbols: [Int] = []

        /// - Parameter lengths: the length of each symbol's code, 0 for those without one.
        init(_ lengths: [Int]) throws(Fault) {
            self.init(ofStandard: lengths)
            var room = 1
            for length in 1...15 {
                room = room * 2 - counts[length]
                if room < 0 { throw Fault(reason: "a code has more symbols than there is room for") }
            }
        }

        /// A code of the standard, which fits.
        init(ofStandard lengths: [Int]) {
            for length in lengths where length > 0 { counts[length] += 1 }
            for length in 1...15 where counts[length] > 0 { for (symbol, own) in lengths.enumerated() where own == length { symbols.append(symbol) } }
        }
    }

    private static let fixedLiterals = Code(ofStandard: (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
    private static let fixedDistances = Code(ofStandard: [Int](repeating: 5, count: 30))

    private mutating func symbol(_ code: Code) throws(Fault) -> Int {
        var (value, first, index) = (0, 0, 0)
        for length in 1...15 {
            value |= try take(1)
            let count = code.counts[length]
            if value - first < count { return code.symbols[index + value - first] }
            index += count
            first = (first + count) << 1
            value <<= 1
        }
        throw Fault(reason: "bits are no symbol of their code")
    }

    /// The order in which the lengths of the code of lengths come.
    private static let lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    private mutating func readCodes() throws(Fault) -> (literals: Code, distances: Code) {
        let (literalCount, distanceCount, lengthCount) = (try take(5) + 257, try take(5) + 1, try take(4) + 4)
        var lengths = [Int](repeating: 0, count: 19)
        for position in 0..<lengthCount { lengths[Self.lengthOrder[position]] = try take(3) }
        let code = try Code(lengths)
        var all: [Int] = []
        while all.count < literalCount + distanceCount {
            let symbol = try symbol(code)
            let (value, times): (Int, Int)
            switch symbol {
            case 16:
                guard let last = all.last else { throw Fault(reason: "a length is repeated that there is not") }
                (value, times) = (last, 3 + (try take(2)))
            case 17: (value, times) = (0, 3 + (try take(3)))
            case 18: (value, times) = (0, 11 + (try take(7)))
            default: (value, times) = (symbol, 1)
            }
            guard all.count + times <= literalCount + distanceCount else { throw Fault(reason: "there are more lengths than symbols") }
            all.append(contentsOf: repeatElement(value, count: times))
        }
        return (try Code(Array(all[..<literalCount])), try Code(Array(all[literalCount...])))
    }

    // MARK: Blocks

    private static let lengthBases = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258]
    private static let lengthBits = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0]
    private static let distanceBases = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577,
    ]
    private static let distanceBits = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13]

    private mutating func unpackBlock(_ literals: Code, _ distances: Code) throws(Fault) {
        while true {
            let symbol = try symbol(literals)
            if symbol < 256 {
                try checkRoom(1)
                output.append(UInt8(symbol))
                continue
            }
            if symbol == 256 { return }
            guard symbol - 257 < Self.lengthBases.count else { throw Fault(reason: "a length has a symbol that there is not") }
            let length = Self.lengthBases[symbol - 257] + (try take(Self.lengthBits[symbol - 257]))
            let distanceSymbol = try self.symbol(distances)
            guard distanceSymbol < Self.distanceBases.count else { throw Fault(reason: "a distance has a symbol that there is not") }
            let distance = Self.distanceBases[distanceSymbol] + (try take(Self.distanceBits[distanceSymbol]))
            guard distance <= output.count else { throw Fault(reason: "a distance leads before the beginning") }
            try checkRoom(length)
            // They may overlap: what was just written is read again.
            for _ in 0..<length { output.append(output[output.count - distance]) }
        }
    }
}
