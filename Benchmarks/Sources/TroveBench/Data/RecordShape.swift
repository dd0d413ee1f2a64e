import RawEngines
import Trove

/// Where the numbers are in a record of ``Song``, see docs/format.md: eight bytes of header, one of nil bits, then
/// year, rating and duration, and two ends of texts.
enum RecordShape {
    static let year = 9
    static let duration = 25
    static let text = 37

    static var raw: raw_shape { raw_shape(year_offset: year, duration_offset: duration, text_offset: text) }

    /// Throws when a record is laid out in another way, so that the C programs never read the wrong bytes.
    static func check(_ record: RawSpan, isOf number: Int) throws {
        let isAsExpected = record.withUnsafeBytes { bytes in
            bytes.count == text + SongData.title(number).utf8.count + SongData.artist(number).utf8.count
                && Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: year, as: Int64.self)) == Int64(SongData.year(number))
                && bytes.loadUnaligned(fromByteOffset: duration, as: UInt64.self) == SongData.duration(number).bitPattern.littleEndian
        }
        guard isAsExpected else { throw BenchmarkError("the record format has changed: adapt RecordShape to docs/format.md") }
    }
}
