import Foundation
import TestSupport
import Testing
import Trove
import TroveCrypto

/// Random programs on encrypted properties, against a dictionary.
@Suite struct EncryptedRandomTests {
    @Test(arguments: Engine.allCases, [UInt64](1...3)) func agreeWithADictionary(engine: Engine, seed: UInt64) throws {
        let fixture = try SealedFixture.open(engine)
        var random = SeededGenerator(seed: seed)
        var model: [Int: SealedPatient] = [:]
        func made(_ id: Int) -> SealedPatient {
            var patient = SealedPatient.made(Int.random(in: 0..<400, using: &random), image: [0, 5, 300].randomElement(using: &random)!)
            patient.id = id
            patient.number = id * 7
            // Written once, and another value would be kept.
            patient.firstSeen = nil
            return patient
        }
        for step in 0..<120 {
            let store = fixture.store
            let id = Int.random(in: 0..<40, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0...3:
                let patient = made(id)
                try store.save(patient)
                model[id] = patient
            case 4:
                let batch = (0..<10).map { made($0 * 3) }
                try store.save(batch)
                for patient in batch { model[patient.id] = patient }
            case 5:
                try store.delete(SealedPatient.self, id: id)
                model[id] = nil
            case 6:
                let ward = "Zqward\(id % 10)"
                try store.fetch(SealedPatient.self).where { $0.ward == ward }.update(\.diagnosis, to: "Zqstep\(step)")
                for (key, patient) in model where patient.ward == ward { model[key]?.diagnosis = "Zqstep\(step)" }
            case 7:
                try? store.write { transaction in
                    try transaction.save(made(id))
                    try transaction.delete(SealedPatient.self, id: (id + 1) % 40)
                    throw CancellationError()
                }
            case 8:
                try store.fetch(SealedPatient.self).where { $0.year > 1_980 }.delete()
                model = model.filter { $0.value.year <= 1_980 }
            default: try fixture.reopenStore()
            }
            let ward = "Zqward\(step % 10)"
            let found = try fixture.store.fetch(SealedPatient.self).where { $0.ward == ward }.all()
            #expect(found == model.values.filter { $0.ward == ward }.sorted { $0.id < $1.id }, "step \(step)")
            let city = "City\(step % 7)"
            let both = try fixture.store.fetch(SealedPatient.self).where { $0.city == city && $0.severity == .severe }.ids()
            #expect(both == model.values.filter { $0.city == city && $0.severity == .severe }.map(\.id).sorted(), "step \(step)")
            if let patient = model[id] { #expect(try fixture.store.fetch(SealedPatient.self).where { $0.number == patient.number }.first() == patient) }
        }
        #expect(try fixture.store.fetch(SealedPatient.self).all() == model.values.sorted { $0.id < $1.id })
        #expect(try fixture.store.verify().isSound)
    }
}
