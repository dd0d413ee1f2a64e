import Foundation
import TestSupport
import Testing

@testable import Trove

/// What is wrong with a lazy value is told by reading it and by verifying; the rest of the object can be read.
@Suite struct LazyDamageTests {
    private enum Damage: CaseIterable {
        case changedByte, missing, shorter, longer, empty

        func apply(_ bytes: [UInt8]) -> [UInt8]? {
            switch self {
            case .changedByte: bytes.dropLast() + [bytes[bytes.count - 1] ^ 1]
            case .missing: nil
            case .shorter: Array(bytes.dropLast())
            case .longer: bytes + [0]
            case .empty: []
            }
        }
    }

    @Test(arguments: Engine.allCases) func ofAValue(engine: Engine) throws {
        for damage in Damage.allCases {
            let fixture = try LazyFixture.open(engine)
            let store = fixture.store
            try store.save(LazyPhoto(id: 1, title: "a", text: Lazy(LazyFixture.text("sound"))))
            try store.forgeAnnexes("LazyPhoto", damage.apply)
            let photo = try #require(try store.fetch(LazyPhoto.self, id: 1))
            #expect(photo.title == "a")
            #expect("\(damage)") { try photo.text.load() } throws: { error in
                guard case TroveError.corruptRecord("LazyPhoto", _, let reason) = error else { return false }
                return reason.contains("lazy property 'text'")
            }
            #expect(try !store.verify().isSound, "\(damage)")
            // The object can be changed otherwise, given another value, and be deleted.
            var renamed = photo
            renamed.title = "b"
            try store.save(renamed)
            var other = photo
            other.text = Lazy(LazyFixture.text("other"))
            try store.save(other)
            #expect(try store.fetch(LazyPhoto.self, id: 1)?.text.load() == LazyFixture.text("other") && store.verify().isSound, "\(damage)")
            try store.forgeAnnexes("LazyPhoto", damage.apply)
            try store.delete(LazyPhoto.self, id: 1)
            #expect(try store.annexCount("LazyPhoto") == 0, "\(damage)")
        }
    }

    /// A value that no record has is found.
    @Test(arguments: Engine.allCases) func ofNoRecord(engine: Engine) throws {
        let fixture = try LazyFixture.open(engine)
        try fixture.store.save(LazyPhoto(id: 1, title: "a", text: Lazy(LazyFixture.text("sound"))))
        try fixture.store.core.backend.write(.relaxed) { (writer: any StorageWriter) in
            let keyspace = try writer.createKeyspace(named: AnnexSpace.name(of: "LazyPhoto"))
            let bytes: [UInt8] = [1, 2, 3]
            for key in [1, 2] { try writer.put(AnnexSpace.key(of: bytes.withUnsafeBytes { AnnexID(of: $0) }, key.keyBytes), bytes, in: keyspace) }
            try writer.put([7], bytes, in: keyspace)
        }
        let problems = try fixture.store.verify().problems
        #expect(problems.count == 3 && problems.allSatisfy { $0.modelName == AnnexSpace.name(of: "LazyPhoto") })
    }

    /// The values of a model whose name begins with a mark that goes with the character before it were checked by nothing.
    @Test func ofAModelWhoseNameBeginsWithAMark() {
        for name in ["\u{301}note", "note", ""] {
            #expect(AnnexSpace.modelName(of: AnnexSpace.name(of: name)).map { Array($0.utf8) } == Array(name.utf8))
        }
        #expect(AnnexSpace.modelName(of: "$annexes") == nil && AnnexSpace.modelName(of: "note") == nil)
    }

    /// Records that say anything in the place of a lazy value are refused with an error that names them.
    @Test(arguments: Engine.allCases) func ofARecord(engine: Engine) throws {
        for form in [[], [0], [1], [2, 0], [1] + [UInt8](repeating: 9, count: 23), [1] + [UInt8](repeating: 255, count: 24), [0, 255], [0, 9, 255, 255, 255, 255]] as [[UInt8]] {
            let fixture = try LazyFixture.open(engine)
            let store = fixture.store
            try store.save(LazyPhoto(id: 1, title: "a", text: Lazy("small")))
            try store.forgeRecord(of: "LazyPhoto", 1.keyBytes, lazyField: "text", form)
            #expect(throws: TroveError.self, "\(form)") { try store.fetch(LazyPhoto.self, id: 1)?.text.load() }
            #expect(throws: TroveError.self, "\(form)") { try store.fetch(LazyPhoto.self).where { $0.text.loaded == "x" }.count() }
            #expect(try !store.verify().isSound, "\(form)")
            try store.delete(LazyPhoto.self, id: 1)
            #expect(try store.fetch(LazyPhoto.self).count() == 0)
        }
    }
}

extension ObjectStore {
    /// Writes a record whose lazy field has these bytes, with a checksum that fits.
    fileprivate func forgeRecord(of modelName: String, _ key: [UInt8], lazyField: String, _ form: [UInt8]) throws {
        let layout = try core.binding(named: modelName).layout
        try core.backend.write(.relaxed) { (writer: any StorageWriter) in
            guard let keyspace = try writer.keyspace(named: modelName), let old = try writer.value(of: key, in: keyspace) else { return }
            var record: [UInt8] = []
            try old.withUnsafeBytes { old in
                try key.withUnsafeBytes { keyBytes in
                    let view = try RecordView(trusting: old, key: keyBytes, layout: layout)
                    var ends: [UInt8] = []
                    var values: [UInt8] = []
                    for field in layout.fields where !field.isFixed {
                        values += field.name == lazyField ? form : [UInt8](try view.variable(field.place))
                        withUnsafeBytes(of: UInt16(values.count).littleEndian) { ends.append(contentsOf: $0) }
                    }
                    record = [UInt8](old.prefix(layout.endsStart)) + ends + values
                }
            }
            let checksum = record.withUnsafeBytes { record in key.withUnsafeBytes { RecordFormat.checksum(of: record, key: $0) } }
            withUnsafeBytes(of: checksum.littleEndian) { record.replaceSubrange(4..<8, with: $0) }
            try writer.put(key, record, in: keyspace)
        }
    }
}
