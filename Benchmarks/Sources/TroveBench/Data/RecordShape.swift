import RawEngines
import Trove

/// Where the numbers are in a record, see docs/format.md: eight bytes of header, one of nil bits, the numbers in the order
/// of the properties, the ends of the texts, the texts.
///
/// A shape is wrong when the record format has changed; ``check(_:is:)`` finds out, so that the C programs never read the wrong bytes.
struct RecordShape: Sendable {
    let year: Int
    let duration: Int
    let text: Int

    /// Year, rating, duration; two texts.
    static let song = RecordShape(year: 9, duration: 25, text: 37)
    /// Year, plays, rating, duration; three texts.
    static let track = RecordShape(year: 9, duration: 33, text: 47)

    var raw: raw_shape { raw_shape(year_offset: year, duration_offset: duration, text_offset: text) }

    /// Throws when a record has other values at these places than the object, which was added up to `tally`.
    func check(_ record: RawSpan, is tally: Tally) throws {
        let isAsExpected = record.withUnsafeBytes { bytes in
            bytes.count == text + tally.textBytes
                && Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: year, as: Int64.self)) == Int64(tally.years)
                && bytes.loadUnaligned(fromByteOffset: duration, as: UInt64.self) == tally.durations.bitPattern.littleEndian
        }
        guard isAsExpected else { throw BenchmarkError("the record format has changed: adapt RecordShape to docs/format.md") }
    }
}
