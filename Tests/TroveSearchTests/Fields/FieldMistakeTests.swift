import Foundation
import Testing

@testable import Trove

/// What compiles and cannot be asked is kept in the condition and thrown when the filter is taken.
@Suite struct FieldMistakeTests {
    private func mistake(_ condition: (Fields<Recording>) -> Condition) -> TroveError? {
        do throws(TroveError) {
            _ = try condition(Fields()).filter()
            return nil
        } catch {
            return error
        }
    }

    @Test func computedPropertiesAreNotStored() {
        let error = mistake { $0.display == "x" }
        guard case .unsupportedKeyPath(let model, let keyPath) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(model == "Recording")
        #expect(keyPath == "\\Recording.<computed (String)>")
    }

    @Test(arguments: ["artist.count", "country", "label", "price.isNaN", "date"])
    func nestedPropertiesNeedACodingKey(_ which: String) {
        let error =
            switch which {
            case "artist.count": mistake { $0.artist.count > 3 }
            case "country": mistake { $0.place.country == "Norway" }
            case "label": mistake { $0.home.label == "x" }
            case "price.isNaN": mistake { $0.price.isNaN == true }
            default: mistake { $0.recorded.timeIntervalSince1970 > 5 }
            }
        guard case .unsupportedKeyPath = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func mistakesSurviveLogicAndQuantifiers() {
        #expect(mistake { $0.year > 5 && ($0.display == "x" || $0.year < 3) } != nil)
        #expect(mistake { !($0.display == "x") } != nil)
        #expect(mistake { $0.lines.any { $0.price.isNaN.isTrue } } != nil)
        #expect(mistake { $0.display.isEmpty } != nil)
        #expect(mistake { $0.year > 5 } == nil)
    }

    @Test func membersOfTwoCollectionsAreNotCompared() {
        let error = mistake { $0.lines.any { line in line.parts.any { $0 == line.at("name", as: String.self) } } }
        guard case .invalidQuery(let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("parts"))
    }

    @Test func valuesThatAreNotStoredAreNamed() {
        struct Odd: Sendable {}
        let error = mistake { $0.at("artist", as: Odd.self) == Odd() }
        guard case .invalidQuery(let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("Odd"))
    }
}
