#!/usr/bin/env python3
"""Writes Fixtures/: property lists, keyed archives and a model of Core Data, by Python's own writers of these formats.

The names of classes and values are those that Apple's systems write. Run it on purpose and commit what it writes.
"""
import datetime
import pathlib
import plistlib
import struct
import uuid
import zlib

FIXTURES = pathlib.Path(__file__).parent / "Fixtures"
UID = plistlib.UID


class Archive:
    """What NSKeyedArchiver does: objects by number, of which 0 is nil."""

    def __init__(self):
        self.objects = ["$null"]
        self.classes = {}

    def add(self, value):
        self.objects.append(value)
        return UID(len(self.objects) - 1)

    def of_class(self, names, values, number=None):
        key = tuple(names)
        if key not in self.classes:
            self.classes[key] = self.add({"$classname": names[0], "$classes": list(names)})
        archived = dict(values)
        archived["$class"] = self.classes[key]
        if number is None:
            return self.add(archived)
        self.objects[number.data] = archived
        return number

    def array(self, members, name="NSArray"):
        names = [name] + (["NSArray"] if name == "NSMutableArray" else []) + ["NSObject"]
        return self.of_class(names, {"NS.objects": list(members)})

    def dictionary(self, pairs, name="NSDictionary"):
        names = [name] + (["NSDictionary"] if name == "NSMutableDictionary" else []) + ["NSObject"]
        return self.of_class(names, {"NS.keys": [k for k, _ in pairs], "NS.objects": [v for _, v in pairs]})

    def list(self, **top):
        return {"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": top, "$objects": self.objects}


def with_references_of_xml(value):
    if isinstance(value, UID):
        return {"CF$UID": value.data}
    if isinstance(value, list):
        return [with_references_of_xml(v) for v in value]
    if isinstance(value, dict):
        return {k: with_references_of_xml(v) for k, v in value.items()}
    return value


def write(name, content, fmt=plistlib.FMT_BINARY):
    if not isinstance(content, bytes):
        content = plistlib.dumps(with_references_of_xml(content) if fmt == plistlib.FMT_XML else content, fmt=fmt, sort_keys=False)
    (FIXTURES / name).write_bytes(content)


def values():
    """A dictionary with a value of each class that is known, and of one that is not."""
    a = Archive()
    date = a.of_class(["NSDate", "NSObject"], {"NS.time": 700000000.5})
    unknown = a.of_class(["NSValue", "NSObject"], {"NS.pointval": a.add("{1, 2}"), "NS.special": 1})
    base = a.of_class(["NSURL", "NSObject"], {"NS.base": UID(0), "NS.relative": a.add("https://example.org/a/")})
    decimal = {"NS.mantissa": struct.pack("<8H", 12345, 1, 0, 0, 0, 0, 0, 0), "NS.mantissa.bo": 1, "NS.exponent": -2, "NS.length": 2, "NS.negative": True, "NS.compact": True}
    pairs = [
        ("text", a.add("é 漢字 😀")),
        ("mutable", a.of_class(["NSMutableString", "NSString", "NSObject"], {"NS.string": "changing"})),
        ("int", a.add(-7)),
        ("large", a.add(2**64 - 1)),
        ("real", a.add(0.1)),
        ("yes", a.add(True)),
        ("none", UID(0)),
        ("null", a.of_class(["NSNull", "NSObject"], {})),
        ("date", date),
        ("again", date),
        ("data", a.add(b"\x00\xff\x10")),
        ("mutableData", a.of_class(["NSMutableData", "NSData", "NSObject"], {"NS.data": b"ab"})),
        ("url", a.of_class(["NSURL", "NSObject"], {"NS.base": base, "NS.relative": a.add("b?c=d")})),
        ("uuid", a.of_class(["NSUUID", "NSObject"], {"NS.uuidbytes": uuid.UUID("00112233-4455-6677-8899-aabbccddeeff").bytes})),
        ("decimal", a.of_class(["NSDecimalNumber", "NSNumber", "NSValue", "NSObject"], decimal)),
        ("array", a.array([a.add("x"), a.array([a.add(1), UID(0)], "NSMutableArray")])),
        ("set", a.of_class(["NSMutableSet", "NSSet", "NSObject"], {"NS.objects": [a.add("one")]})),
        ("ordered", a.of_class(["NSOrderedSet", "NSObject"], {"NS.object.1": a.add("second"), "NS.object.0": a.add("first"), "NS.object.10": a.add("last")})),
        ("numbers", a.dictionary([(a.add(1), a.add("one")), (a.add(2), a.add("two"))], "NSMutableDictionary")),
        ("inner", a.dictionary([(a.add("key"), a.add("value"))])),
        ("point", unknown),
        ("own", a.of_class(["MyList", "NSMutableArray", "NSArray", "NSObject"], {"NS.objects": [a.add("member")]})),
    ]
    root = a.dictionary([(a.add(name), value) for name, value in pairs])
    return a.list(root=root)


def several():
    """Several things under names of their own; classes of a program whose names begin as Apple's do, and one of Apple's."""
    a = Archive()
    bag, option = a.add({}), a.add({})
    color = a.of_class(["UIColor", "NSObject"], {"red": 0.5})
    a.of_class(["NSFNanoObject", "NSObject"], {"option": option, "color": color}, bag)
    a.of_class(["CLIOption", "NSObject"], {"owner": bag, "record": a.of_class(["UIDRecord", "NSObject"], {"number": 7})}, option)
    return a.list(bag=bag, options=a.array([option]), note=a.add("text"))


def people():
    """Objects of a program that refer to each other in a circle, in a dictionary with something else."""
    a = Archive()
    ann, bo = a.add({}), a.add({})
    person = ["Contacts.Person", "NSObject"]
    a.of_class(person, {"name": a.add("Ann"), "age": 41, "best": bo, "friends": a.array([bo, ann]), "address": a.of_class(["Address", "NSObject"], {"city": a.add("Oslo")})}, ann)
    a.of_class(person, {"name": a.add("Bo"), "age": 7, "best": UID(0), "friends": a.array([], "NSMutableArray"), "named": a.dictionary([(a.add("mother"), ann)]), "mixed": a.array([a.add(1), ann])}, bo)
    root = a.dictionary([(a.add("people"), a.array([ann, bo])), (a.add("version"), a.add(3))])
    return a.list(root=root)


def rows():
    a = Archive()
    members = [a.dictionary([(a.add("id"), a.add(number)), (a.add("tags"), a.array([a.add("a"), a.array([a.add("b"), a.add("c")])]))]) for number in (1, 2)]
    return a.list(root=a.array(members, "NSMutableArray"))


def circle():
    a = Archive()
    inner = a.add({})
    a.of_class(["NSArray", "NSObject"], {"NS.objects": [inner]}, inner)
    return a.list(root=inner)


def many_times(levels):
    """Each array has the next one ten times: a few hundred bytes that stand for 10**levels values."""
    a = Archive()
    last = a.add("x")
    for _ in range(levels):
        last = a.array([last] * 10)
    return a.list(root=last)


def text(value):
    return (b"\x5f\x10" + bytes([len(value)]) if len(value) > 14 else bytes([0x50 + len(value)])) + value.encode()


def archive_of(objects, items):
    """An archive whose objects are the numbers of items, the first of which are the names that an archive has."""
    names = [text(name) for name in ("$version", "$archiver", "$top", "$objects", "NSKeyedArchiver", "root", "$null", "$class", "$classname", "Thing", "lists")]
    head = [b"\xd4\x01\x02\x03\x04\x0c\x05\x0d\x0e"] + names + [b"\x10\x01", b"\xd1\x06\x0f", bytes([0xA0 + len(objects)]) + bytes(objects), b"\x80\x01"]
    return binary(head + items)


def many_nils(levels):
    """The same with lists that stand in the object themselves, and nil at the end."""
    thing, class_item, lists = 16, 17, 19
    items = [b"\xd2\x08\x0b\x12" + bytes([lists]), b"\xd1\x09\x0a", b"\x80\x02"]
    items += [b"\xaa" + bytes([lists + level + 1] * 10) for level in range(levels)] + [b"\x80\x00"]
    return archive_of([7, thing, class_item], items)


def object_twice():
    return archive_of([7, 16, 17, 16], [b"\xd1\x08\x12", b"\xd1\x09\x0a", b"\x80\x02"])


def binary(objects, root=0, count=None, offset_size=2, reference_size=1):
    """A binary property list of objects whose bytes are given."""
    content, offsets = b"bplist00", []
    for item in objects:
        offsets.append(len(content))
        content += item
    table = len(content)
    content += b"".join(offset.to_bytes(offset_size, "big") for offset in offsets)
    return content + struct.pack(">5xBBBQQQ", 0, offset_size, reference_size, len(objects) if count is None else count, root, table)


def overlapping():
    """Objects that are all said to be at the place of one large array."""
    array = b"\xaf\x10\xc8" + bytes(200)
    content = b"bplist00" + array
    table = len(content)
    content += (8).to_bytes(2, "big") * 200
    return content + struct.pack(">5xBBBQQQ", 0, 2, 1, 200, 0, table)


def dictionary_list():
    return [
        {"id": 1, "name": "é & <x>", "yes": True, "one": 1, "minus": -1, "half": 0.5, "when": datetime.datetime(2020, 2, 29, 12, 30, 5), "bytes": b"\x01\x02", "inner": {"a": [1, "b", {}]}, "empty": ""},
        {"id": 2, "big": 2**64 - 1, "small": -(2**63)},
    ]


def stored_model():
    """What Core Data has in Z_MODELCACHE: entities with their properties, of which those of a parent are proxies."""
    a = Archive()
    integer16, integer64, decimal, double, string, boolean, date, binary_data, uuid_type, uri, transformable = 100, 300, 400, 500, 700, 800, 900, 1000, 1100, 1200, 1800
    entities = {name: a.add({}) for name in ("Album", "Media", "Film", "Song", "Tag")}
    classes = {"attribute": ["NSAttributeDescription", "NSPropertyDescription", "NSObject"], "relationship": ["NSRelationshipDescription", "NSPropertyDescription", "NSObject"]}

    def attribute(entity, name, type, optional=True, external=False, transient=False):
        values = {"NSPropertyName": a.add(name), "NSAttributeType": type, "NSEntity": entities[entity], "NSFlagsKey": 4 if external else 0, "NSDefaultValue": UID(0)}
        if optional:
            values["NSIsOptional"] = True
        if transient:
            values["NSIsTransient"] = True
        return a.of_class(classes["attribute"], values)

    def relationship(entity, name, destination, count, inverse=None, ordered=False):
        values = {"NSPropertyName": a.add(name), "NSEntity": entities[entity], "NSDestinationEntity": entities[destination], "_NSDestinationEntityName": a.add(destination), "NSMaxCount": count,
                  "NSMinCount": 0, "NSDeleteRule": 1, "NSIsOptional": True, "_NSInverseRelationshipName": a.add(inverse) if inverse else UID(0)}
        if ordered:
            values["NSIsOrdered"] = True
        return a.of_class(classes["relationship"], values)

    def proxy(entity, described):
        return a.of_class(["_NSPropertyDescriptionProxy", "NSObject"], {"NSUnderlyingProperty": described, "NSEntityDescription": entities[entity], "NSReferenceID": 1})

    own = {
        "Album": {
            "isLive": attribute("Album", "isLive", boolean, optional=False), "title": attribute("Album", "title", string), "released": attribute("Album", "released", date),
            "price": attribute("Album", "price", decimal), "identifier": attribute("Album", "identifier", uuid_type), "website": attribute("Album", "website", uri),
            "labels": attribute("Album", "labels", transformable), "inMemory": attribute("Album", "inMemory", integer64, transient=True),
            "songs": relationship("Album", "songs", "Media", 0, "album", ordered=True), "covers": relationship("Album", "covers", "Tag", -1, None),
        },
        "Media": {
            "album": relationship("Media", "album", "Album", 1, "songs"), "sequel": relationship("Media", "sequel", "Media", 1, "prequels"),
            "prequels": relationship("Media", "prequels", "Media", 0, "sequel"), "playCount": attribute("Media", "playCount", integer64), "tags": relationship("Media", "tags", "Tag", 0, "taggedMedias", ordered=True),
            "covered": relationship("Media", "covered", "Media", 0, "coveredBy"), "coveredBy": relationship("Media", "coveredBy", "Media", 0, "covered"),
        },
        "Film": {"name": attribute("Film", "name", string), "aspectRatio": attribute("Film", "aspectRatio", double)},
        "Song": {"name": attribute("Song", "name", string), "scan": attribute("Song", "scan", binary_data, external=True), "rawData": attribute("Song", "rawData", binary_data), "key": attribute("Song", "key", integer16)},
        "Tag": {"word": attribute("Tag", "word", string, optional=False), "taggedMedias": relationship("Tag", "taggedMedias", "Media", 0, "tags"), "related": relationship("Tag", "related", "Tag", 0, "related")},
    }
    parents = {"Film": "Media", "Song": "Media"}
    for name, number in entities.items():
        listed = dict(own[name])
        parent = parents.get(name)
        if parent:
            listed.update({key: proxy(name, described) for key, described in own[parent].items()})
        properties = a.dictionary([(a.add(key), value) for key, value in listed.items()], "NSMutableDictionary")
        a.of_class(["NSEntityDescription", "NSObject"], {"NSEntityName": a.add(name), "NSSuperentity": entities[parent] if parent else UID(0), "NSProperties": properties,
                   "NSRenamingIdentifier": a.add(name), "NSClassNameForEntity": a.add(name)}, number)
    names = a.array([a.add(name) for name in entities])
    root = a.of_class(["NSManagedObjectModel", "NSObject"], {
        "NSEntities": a.of_class(["NSKnownKeysDictionary1", "NSKnownKeysDictionary", "NSMutableDictionary", "NSDictionary", "NSObject"], {
            "values": a.array(list(entities.values())), "searchMapping": a.of_class(["NSKnownKeysMappingStrategy1", "NSObject"], {"keys": names, "length": len(entities), "version": 1}), "version": 1}),
        "NSFetchRequestTemplates": UID(0)})
    return a.list(root=root)


def packed(content, level, strategy=zlib.Z_DEFAULT_STRATEGY):
    packer = zlib.compressobj(level, zlib.DEFLATED, -15, 9, strategy)
    return packer.compress(content) + packer.flush()


def main():
    FIXTURES.mkdir(exist_ok=True)
    write("values.archive", values())
    write("values-xml.archive", values(), plistlib.FMT_XML)
    write("people.archive", people())
    write("several.archive", several())
    write("empty.archive", Archive().list())
    write("rows.archive", rows())
    write("circle.archive", circle())
    write("many-times.archive", many_times(12))
    write("list.plist", dictionary_list())
    write("list-xml.plist", dictionary_list(), plistlib.FMT_XML)
    write("many-nils.archive", many_nils(12))
    write("object-twice.archive", object_twice())
    write("array-in-itself.plist", binary([b"\xa1\x00"]))
    write("beyond.plist", binary([b"\x4f\x13" + (2**62).to_bytes(8, "big")]))
    write("many-members.plist", binary([b"\xaf\x12\xff\xff\xff\xff"]))
    write("no-such-member.plist", binary([b"\xa1\x05"]))
    write("many-values.plist", binary([b"\x09"], count=2**40))
    write("overlapping.plist", overlapping())
    write("many-times.plist", binary([b"\xaa" + bytes([number + 1] * 10) for number in range(12)] + [b"\x09"]))
    write("model.cache", packed(plistlib.dumps(stored_model(), fmt=plistlib.FMT_BINARY, sort_keys=False), 9))
    text = b"".join(b"%d bottles of beer on the wall, " % number for number in range(400))
    write("text.txt", text)
    write("stored.deflate", packed(text, 0))
    write("fixed.deflate", packed(text, 9, zlib.Z_FIXED))
    write("dynamic.deflate", packed(text, 9))
    write("huffman.deflate", packed(text, 6, zlib.Z_HUFFMAN_ONLY))


main()
