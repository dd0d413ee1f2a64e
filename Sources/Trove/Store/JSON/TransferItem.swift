import Foundation

/// What a line of a transfer has.
enum TransferItem {
    /// A record, which its reader keeps until the next line.
    case record(TransferReading, isUpgraded: Bool)
    case skipped
    case metadata(String, StoredValue)
    /// A blob, or a part of one: where it begins, and the size of the whole.
    case blob(String, Data, part: (offset: Int, size: Int)?)
    case bag(StoredBag)
    case end
}

/// A model's records, or a collection's documents, of one layout as they are read.
final class TransferReading {
    let model: String
    let target: TransferTargets.Target
    var reader: JSONRecordReader
    /// How the model reads the layout's records; nil when the program does not have it, and before the first one.
    var plan: DecodingPlan?
    /// Where records go of a collection, or of a model that the program does not have, once one was stored.
    var place: (keyspace: Keyspace, pipeline: ModelPipeline?)?

    init(_ target: TransferTargets.Target) {
        model = target.layout.modelName
        self.target = target
        reader = JSONRecordReader(target.layout, id: target.id, unknown: .refused)
    }
}
