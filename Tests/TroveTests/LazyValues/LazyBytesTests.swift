import Foundation
import TestSupport
import Testing

@testable import Trove

/// The bytes of lazy values: what is encoded, and what of it is kept.
@Suite struct LazyBytesTests {
    /// A value that is stored already, as by the object before, needs its bytes no more. It kept them as long as it lived.
    @Test(arguments: Engine.allCases) func storedValuesKeepNoBytes(engine: Engine) throws {
        let fixture = try LazyFixture.open(engine)
        let drawing = LazyDrawing(points: (0..<500).map(Double.init))
        try fixture.store.save(LazyPhoto(id: 1, title: "a", text: Lazy(""), drawing: Lazy(drawing)))
        let again = LazyPhoto(id: 1, title: "b", text: Lazy(""), drawing: Lazy(drawing))
        try fixture.store.save(again)
        #expect(again.drawing.box.keptSize == 0)
        try fixture.store.deleteAll(LazyPhoto.self)
        try fixture.store.save(again)
        #expect(try fixture.store.fetch(LazyPhoto.self, id: 1)?.drawing.load() == drawing && again.drawing.box.keptSize == 0)

        // Those of a value that encodes itself otherwise each time are the only ones.
        let restless = LazyBox(LazyRestless((0..<40).map { "word\($0)" }), .codable)
        let form = try restless.form()
        restless.annexIsStored()
        #expect(try restless.annexBytes().withUnsafeBytes { LazyForm(ofNested: $0) } == form && restless.form() == form && restless.keptSize > 0)
    }

    /// Nothing is encoded again to look whether it gives the same bytes.
    @Test func commonTypesGiveTheSameBytes() throws {
        func check<Value: Storable>(_ value: Value) throws {
            let (box, coding) = (LazyBox(value, .storable), LazyCoding<Value>.storable)
            _ = try box.form()
            #expect(box.keptSize == 0, "\(Value.self)")
            let bytes = try coding.withNested(value) { [UInt8]($0) }
            let read = try bytes.withUnsafeBytes { try coding.value(ofNested: $0) }
            #expect(try coding.withNested(read) { [UInt8]($0) } == bytes && bytes.count > LazyForm.maxWholeSize, "\(Value.self)")
        }
        try check((-500...500).map { Int($0) })
        try check((0...500).map { UInt64.max - $0 })
        try check((0...500).map { Int128.min + $0 })
        try check((0...500).map { Double($0) / 3 } + [-0.0, .infinity, .nan, Double(nan: 5, signaling: false)])
        try check((0...500).map { Float($0) / 3 } + [-0.0, .infinity, .nan])
        try check((0...500).map { Date(timeIntervalSinceReferenceDate: Double($0)) })
        try check((0...500).map { _ in UUID() })
        try check((0...500).map { _ in ObjectID() })
        try check((0...500).map { $0.isMultiple(of: 3) })
        try check((0...500).map { $0.isMultiple(of: 3) ? nil : "text \($0)" })
        try check(Optional([[LazyFixture.data(1)], []]))
    }
}
