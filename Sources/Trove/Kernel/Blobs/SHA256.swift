/// SHA-256 as FIPS 180-4 has it: the name of a blob's content, the same on every machine and in every program.
///
/// It stands here because a library of ciphers would come to everybody who links Trove. It keeps nothing secret: what needs a key is in TroveCrypto.
struct SHA256: Sendable {
    /// The size of a digest in bytes.
    static let size = 32

    private static let blockSize = 64

    private var state: (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32) = (
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19
    )
    /// What does not fill a block.
    private var rest: [UInt8] = []
    private var count: UInt64 = 0

    /// The digest of all of the bytes.
    static func digest(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finish()
    }

    /// Takes more bytes, which are read during the call only.
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        count &+= UInt64(bytes.count)
        var bytes = bytes
        if !rest.isEmpty {
            let taken = min(Self.blockSize - rest.count, bytes.count)
            rest.append(contentsOf: bytes[..<taken])
            bytes = UnsafeRawBufferPointer(rebasing: bytes[taken...])
            guard rest.count == Self.blockSize else { return }
            let block = rest
            block.withUnsafeBytes { compress($0) }
            rest.removeAll(keepingCapacity: true)
        }
        let whole = bytes.count - bytes.count % Self.blockSize
        compress(UnsafeRawBufferPointer(rebasing: bytes[..<whole]))
        rest.append(contentsOf: bytes[whole...])
    }

    /// The digest of what was taken; nothing is taken after it.
    mutating func finish() -> [UInt8] {
        let bits = count &* 8
        var padding: [UInt8] = [0x80]
        padding += [UInt8](repeating: 0, count: (119 - rest.count) % Self.blockSize)
        withUnsafeBytes(of: bits.bigEndian) { padding += $0 }
        padding.withUnsafeBytes { update($0) }
        let words = [state.0, state.1, state.2, state.3, state.4, state.5, state.6, state.7]
        return words.flatMap { word in withUnsafeBytes(of: word.bigEndian) { [UInt8]($0) } }
    }

    /// Takes whole blocks.
    private mutating func compress(_ blocks: UnsafeRawBufferPointer) {
        guard let start = blocks.baseAddress else { return }
        Self.constants.withUnsafeBufferPointer { constants in
            withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
                guard let constants = constants.baseAddress, let words = words.baseAddress else { return }
                var offset = 0
                while offset < blocks.count {
                    compress(start + offset, words, constants)
                    offset &+= Self.blockSize
                }
            }
        }
    }

    // Loops, shifts and pointers are those that cost little without optimisation too: applications are developed so, and with the
    // usual ones a megabyte takes half a second.
    private mutating func compress(_ block: UnsafeRawPointer, _ words: UnsafeMutablePointer<UInt32>, _ constants: UnsafePointer<UInt32>) {
        var index = 0
        while index < 16 {
            words[index] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self))
            index &+= 1
        }
        while index < 64 {
            let (early, late) = (words[index &- 15], words[index &- 2])
            let first = (early &>> 7 | early &<< 25) ^ (early &>> 18 | early &<< 14) ^ early &>> 3
            let second = (late &>> 17 | late &<< 15) ^ (late &>> 19 | late &<< 13) ^ late &>> 10
            words[index] = words[index &- 16] &+ first &+ words[index &- 7] &+ second
            index &+= 1
        }
        var (a, b, c, d, e, f, g, h) = state
        index = 0
        while index < 64 {
            let rotatedE = (e &>> 6 | e &<< 26) ^ (e &>> 11 | e &<< 21) ^ (e &>> 25 | e &<< 7)
            let choice = e & f ^ ~e & g
            let first = h &+ rotatedE &+ choice &+ constants[index] &+ words[index]
            let rotatedA = (a &>> 2 | a &<< 30) ^ (a &>> 13 | a &<< 19) ^ (a &>> 22 | a &<< 10)
            let majority = a & b ^ a & c ^ b & c
            h = g
            g = f
            f = e
            e = d &+ first
            d = c
            c = b
            b = a
            a = first &+ rotatedA &+ majority
            index &+= 1
        }
        state = (state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d, state.4 &+ e, state.5 &+ f, state.6 &+ g, state.7 &+ h)
    }

    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}
