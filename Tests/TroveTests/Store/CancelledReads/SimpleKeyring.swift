import Trove

/// Keys that hide nothing, for tests of what reads sealed values.
struct SimpleKeyring: FieldKeyring {
    func makeKeyRecord() -> [UInt8] { [1] }

    func unlock(_ keyRecord: [UInt8], path: String) -> any FieldSealer { SimpleSealer(keyRecord) }
}

final class SimpleSealer: FieldSealer {
    let keyRecord: [UInt8]
    let activeKey: UInt32 = 1
    let closedFields: Set<String> = []

    init(_ keyRecord: [UInt8]) { self.keyRecord = keyRecord }

    func seal(_ value: RawSpan, in place: RawSpan, appendingTo bytes: inout [UInt8]) {
        bytes.append(1)
        value.withUnsafeBytes { value in bytes.append(contentsOf: value.lazy.map { $0 ^ 0x55 }) }
    }

    func open(_ sealed: RawSpan, in place: RawSpan, appendingTo bytes: inout [UInt8]) throws {
        guard key(of: sealed) != nil else { throw FieldSealingFault.damaged }
        sealed.withUnsafeBytes { sealed in bytes.append(contentsOf: sealed.dropFirst().lazy.map { $0 ^ 0x55 }) }
    }

    func key(of sealed: RawSpan) -> UInt32? { sealed.withUnsafeBytes { $0.first == 1 ? 1 : nil } }

    func tag(of value: RawSpan, in index: RawSpan) -> UInt128 {
        value.withUnsafeBytes { $0.reduce(7) { ($0 &* 0x1_0000_01B3) ^ UInt128($1) } }
    }
}
