import Foundation
import Trove

extension ObjectStore {
    /// Everything in the store, as lines of JSON.
    public func exportedText() throws -> String {
        var bytes: [UInt8] = []
        try exportJSON(into: { bytes.append(contentsOf: $0) })
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Makes a bag whose members may be of models that the store does not have, as an import may; returns its id.
    public func importBag(named name: String, of members: [AnyReference]) throws -> ObjectID {
        let id = ObjectID()
        let pairs = members.map { #"["\#($0.modelName)",{"$data":"\#(Data($0.keyBytes).base64EncodedString())"}]"# }
        let lines = [
            #"{"$trove":{"format":1,"layouts":[]}}"#,
            #"{"$bag":"\#(name)","$id":{"$objectID":"\#(id)"},"members":[\#(pairs.joined(separator: ","))]}"#, #"{"$end":1}"#,
        ]
        try importJSON(Data(lines.joined(separator: "\n").utf8))
        return id
    }
}
