/// The order of points: along a curve that visits near points one after the other (Morton, 1966).
///
/// Each coordinate has a code of 64 bits, and a point has the bits of both codes in turn, the latitude's first. A region of
/// the map so is a number of ranges of codes.
extension GeoPoint {
    /// Coordinates below are 0.
    private static let smallest = 0x1p-32
    /// From here on, the codes of coordinates are as even as the coordinates; below, they are as even as the bits of a
    /// `Double`, which are closer to each other.
    private static let even = 0.25
    /// How many codes a degree has where they are even: every `Double` from ``even`` on is a whole number of these steps.
    private static let steps = 0x1p54
    /// The number of the codes below ``even``.
    private static let fine = even.bitPattern - smallest.bitPattern
    private static let zero: UInt64 = 1 << 63

    static func storable(_ degrees: Double) -> Double { degrees.magnitude < smallest ? 0 : degrees }

    /// The code of a coordinate: exact, and in the order of the values.
    static func code(_ degrees: Double) -> UInt64 {
        let magnitude = degrees.magnitude
        guard magnitude >= smallest else { return zero }
        let code = magnitude < even ? magnitude.bitPattern - smallest.bitPattern + 1 : fine + 1 + UInt64((magnitude - even) * steps)
        return degrees < 0 ? zero - code : zero + code
    }

    /// The coordinate of a code; of one that no coordinate has, which only a forged file can bring about, the nearest within the bound.
    private static func degrees(_ code: UInt64, bound: Double) -> Double {
        guard code != zero else { return 0 }
        let isNegative = code < zero
        let code = isNegative ? zero - code : code - zero
        let magnitude = code <= fine ? Double(bitPattern: smallest.bitPattern + code - 1) : Double(code - fine - 1) / steps + even
        return isNegative ? max(-bound, -magnitude) : min(bound, magnitude)
    }

    /// The bits of both codes in turn.
    static func code(latitude: UInt64, longitude: UInt64) -> UInt128 {
        let high = spread(latitude >> 32) << 1 | spread(longitude >> 32)
        let low = spread(latitude & 0xFFFF_FFFF) << 1 | spread(longitude & 0xFFFF_FFFF)
        return UInt128(high) << 64 | UInt128(low)
    }

    var code: UInt128 { Self.code(latitude: Self.code(latitude), longitude: Self.code(longitude)) }

    init(code: UInt128) {
        let (high, low) = (UInt64(truncatingIfNeeded: code >> 64), UInt64(truncatingIfNeeded: code))
        let latitude = Self.gather(high >> 1) << 32 | Self.gather(low >> 1)
        let longitude = Self.gather(high) << 32 | Self.gather(low)
        self.init(checked: Self.degrees(latitude, bound: 90), Self.degrees(longitude, bound: 180))
    }

    /// The lower 32 bits, each followed by a 0.
    private static func spread(_ bits: UInt64) -> UInt64 {
        var spread = bits
        spread = (spread | spread << 16) & 0x0000_FFFF_0000_FFFF
        spread = (spread | spread << 8) & 0x00FF_00FF_00FF_00FF
        spread = (spread | spread << 4) & 0x0F0F_0F0F_0F0F_0F0F
        spread = (spread | spread << 2) & 0x3333_3333_3333_3333
        return (spread | spread << 1) & 0x5555_5555_5555_5555
    }

    /// Every second bit, from the last on.
    private static func gather(_ bits: UInt64) -> UInt64 {
        var gathered = bits & 0x5555_5555_5555_5555
        gathered = (gathered | gathered >> 1) & 0x3333_3333_3333_3333
        gathered = (gathered | gathered >> 2) & 0x0F0F_0F0F_0F0F_0F0F
        gathered = (gathered | gathered >> 4) & 0x00FF_00FF_00FF_00FF
        gathered = (gathered | gathered >> 8) & 0x0000_FFFF_0000_FFFF
        return (gathered | gathered >> 16) & 0x0000_0000_FFFF_FFFF
    }
}
